import type { Project } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

/** Has the files of a project fetched once more, after that had failed. */
export function fetchAgain(projectId: string): Promise<Project> {
  return request(`/v1/projects/${projectId}/fetch`, { method: 'POST' });
}
