import type { CreateProject, Project } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createProject(body: CreateProject): Promise<Project> {
  return request('/v1/projects', { method: 'POST', body });
}
