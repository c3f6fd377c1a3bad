import type { Page, Session } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import { retryOnce } from '../../../lib/http/retry-once';

const COUNTED = 200;

/** How many sessions of a project one sees, and in how many of them a turn is live: for the moment before it is archived. */
export function projectAtStakeQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-at-stake', projectId],
    queryFn: async ({ signal }) => {
      const page = await request<Page<Session>>(`/v1/sessions${queryString({ projectId, limit: COUNTED })}`, {
        signal,
      });
      const live = page.data.filter(({ status }) => status !== 'idle' && status !== 'archived');
      return { sessions: page.data.length, live: live.length, isMore: page.nextCursor !== null };
    },
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}
