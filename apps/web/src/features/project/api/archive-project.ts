import { request } from '../../../lib/http/api-client';

export function archiveProject(projectId: string): Promise<void> {
  return request(`/v1/projects/${projectId}`, { method: 'DELETE' });
}
