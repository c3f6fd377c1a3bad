import type { Invitation, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function invitationsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['invitations', teamId],
    queryFn: async ({ signal }) =>
      (await request<Page<Invitation>>(`/v1/teams/${teamId}/invitations`, { signal })).data,
  });
}
