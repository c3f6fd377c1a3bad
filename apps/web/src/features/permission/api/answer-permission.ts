import type { Permission, PermissionDecision } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

type PermissionReply = PermissionDecision & { sessionId: string; permissionId: string };

export function answerPermission({ sessionId, permissionId, ...decision }: PermissionReply): Promise<Permission> {
  return request(`/v1/sessions/${sessionId}/permissions/${permissionId}`, { method: 'POST', body: decision });
}
