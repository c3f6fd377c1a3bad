import type { CreateProjectRule, Page, ProjectRule, SessionRule } from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { projectAuditKey } from '../../../lib/http/shared-keys';

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

export function rulesChanged(queries: QueryClient, sessionId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: rulesQuery(sessionId).queryKey });
}

/** The rules of a project; its audit log has the change, too. */
export async function projectRulesChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: projectRulesQuery(projectId).queryKey }),
    queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
  ]);
}

export async function rulePromoted(queries: QueryClient, sessionId: string, projectId: string): Promise<void> {
  await Promise.all([
    rulesChanged(queries, sessionId),
    queries.invalidateQueries({ queryKey: projectRulesQuery(projectId).queryKey }),
  ]);
}

export async function tooWideRulesChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: tooWideQuery(projectId).queryKey }),
    queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
  ]);
}
