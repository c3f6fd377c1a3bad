import type { CreateProjectRule, Page, ProjectRule, SessionRule } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function projectRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-rules', projectId],
    queryFn: async ({ signal }) =>
      (await request<Page<ProjectRule>>(`/v1/projects/${projectId}/rules`, { signal })).data,
  });
}

export function rulesQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['rules', sessionId],
    queryFn: async ({ signal }) =>
      (await request<Page<SessionRule>>(`/v1/sessions/${sessionId}/rules`, { signal })).data,
  });
}

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

export function addProjectRule({
  projectId,
  ...body
}: CreateProjectRule & { projectId: string }): Promise<ProjectRule> {
  return request(`/v1/projects/${projectId}/rules`, { method: 'POST', body });
}

/** Moves a session's rule to its project. */
export function promoteRule({ sessionId, ruleId }: { sessionId: string; ruleId: string }): Promise<ProjectRule> {
  return request(`/v1/sessions/${sessionId}/rules/${ruleId}/promote`, { method: 'POST' });
}

export function removeProjectRule({ id, projectId }: ProjectRule): Promise<void> {
  return request(`/v1/projects/${projectId}/rules/${id}`, { method: 'DELETE' });
}

export function removeRule({ sessionId, ruleId }: { sessionId: string; ruleId: string }): Promise<void> {
  return request(`/v1/sessions/${sessionId}/rules/${ruleId}`, { method: 'DELETE' });
}
