import type { InvitationPreview } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request, requestUnsigned } from '../../../lib/http/api-client';

/** What a link is for. The token goes in the body, so that no address holds it. */
export function invitationPreviewQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => requestUnsigned<InvitationPreview>('/v1/invitations/preview', { method: 'POST', body: { token } }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Joins with the account that is signed in. */
export function joinTeam(token: string): Promise<void> {
  return request('/v1/invitations/join', { method: 'POST', body: { token } });
}
