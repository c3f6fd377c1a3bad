import type { Permission, PermissionDecision } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../../lib/http/api';

const ASK_AGAIN_MS = 3_000;

/** What waits for an answer, asked for again and again: for while nothing comes live. */
export function pendingQuery(sessionId: string, isNeeded: boolean) {
  return queryOptions({
    queryKey: ['pending', sessionId],
    queryFn: ({ signal }) =>
      rowsOf(
        api.GET('/v1/sessions/{sessionId}/permissions', {
          params: { path: { sessionId }, query: { status: 'pending' } },
          signal,
        }),
      ),
    enabled: isNeeded,
    refetchInterval: ASK_AGAIN_MS,
    gcTime: 0,
  });
}

type PermissionReply = PermissionDecision & { sessionId: string; permissionId: string };

export function answerPermission({ sessionId, permissionId, ...body }: PermissionReply): Promise<Permission> {
  return answerOf(
    api.POST('/v1/sessions/{sessionId}/permissions/{permissionId}', {
      params: { path: { sessionId, permissionId } },
      body,
    }),
  );
}
