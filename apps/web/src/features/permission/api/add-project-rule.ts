import type { CreateProjectRule, ProjectRule } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function addProjectRule({
  projectId,
  ...body
}: CreateProjectRule & { projectId: string }): Promise<ProjectRule> {
  return request(`/v1/projects/${projectId}/rules`, { method: 'POST', body });
}
