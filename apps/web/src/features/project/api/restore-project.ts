import type { Project } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function restoreProject(projectId: string): Promise<Project> {
  return request(`/v1/projects/${projectId}/restore`, { method: 'POST' });
}
