import { request } from '../../../lib/http/api-client';

export function revokeApproval({ projectId, key }: { projectId: string; key: string }): Promise<void> {
  return request(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}/approve`, { method: 'DELETE' });
}
