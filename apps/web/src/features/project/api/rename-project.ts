import type { Project } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function renameProject({ projectId, name }: { projectId: string; name: string }): Promise<Project> {
  return request(`/v1/projects/${projectId}`, { method: 'PATCH', body: { name } });
}
