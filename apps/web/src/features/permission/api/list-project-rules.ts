import type { Page, ProjectRule } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function projectRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-rules', projectId],
    queryFn: async ({ signal }) =>
      (await request<Page<ProjectRule>>(`/v1/projects/${projectId}/rules`, { signal })).data,
  });
}
