import type { Project, UpdateProject } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function updateProject({ projectId, ...body }: UpdateProject & { projectId: string }): Promise<Project> {
  return request(`/v1/projects/${projectId}`, { method: 'PATCH', body });
}
