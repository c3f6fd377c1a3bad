import type { ProjectRule } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function removeProjectRule({ id, projectId }: ProjectRule): Promise<void> {
  return request(`/v1/projects/${projectId}/rules/${id}`, { method: 'DELETE' });
}
