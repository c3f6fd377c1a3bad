import type { Page, Permission, PermissionDecision } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

const ASK_AGAIN_MS = 3_000;

/** What waits for an answer, asked for again and again: for while nothing comes live. */
export function pendingQuery(sessionId: string, isNeeded: boolean) {
  return queryOptions({
    queryKey: ['pending', sessionId],
    queryFn: async ({ signal }) =>
      (await request<Page<Permission>>(`/v1/sessions/${sessionId}/permissions?status=pending`, { signal })).data,
    enabled: isNeeded,
    refetchInterval: ASK_AGAIN_MS,
    gcTime: 0,
  });
}

type PermissionReply = PermissionDecision & { sessionId: string; permissionId: string };

export function answerPermission({ sessionId, permissionId, ...decision }: PermissionReply): Promise<Permission> {
  return request(`/v1/sessions/${sessionId}/permissions/${permissionId}`, { method: 'POST', body: decision });
}
