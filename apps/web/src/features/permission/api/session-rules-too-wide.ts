import type { Page, SessionRule } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

const pathOf = (projectId: string) => `/v1/projects/${projectId}/rules/of-sessions`;

/** Rules of a project's sessions that allow more than they show; for admins. */
export function tooWideQuery(projectId: string) {
  return queryOptions({
    queryKey: ['too-wide-rules', projectId],
    queryFn: async ({ signal }) => (await request<Page<SessionRule>>(pathOf(projectId), { signal })).data,
  });
}

export function removeTooWideRule({ projectId, ruleId }: { projectId: string; ruleId: string }): Promise<void> {
  return request(`${pathOf(projectId)}/${ruleId}`, { method: 'DELETE' });
}
