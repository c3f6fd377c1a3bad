import type { CreateProjectRule, ProjectRule } from '@chirality/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../../lib/http/api';
import { projectAuditKey } from '../../../lib/http/shared-keys';

export function projectRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-rules', projectId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/projects/{projectId}/rules', { params: { path: { projectId } }, signal })),
  });
}

export function rulesQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['rules', sessionId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/sessions/{sessionId}/rules', { params: { path: { sessionId } }, signal })),
  });
}

/** Rules of a project's sessions that allow more than they show; for admins. */
export function tooWideQuery(projectId: string) {
  return queryOptions({
    queryKey: ['too-wide-rules', projectId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/projects/{projectId}/rules/of-sessions', { params: { path: { projectId } }, signal })),
  });
}

export function rulesChanged(queries: QueryClient, sessionId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: rulesQuery(sessionId).queryKey });
}

/** The rules of a project; its audit log has the change, too. */
async function projectRulesChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: projectRulesQuery(projectId).queryKey }),
    queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
  ]);
}

/** `onAdded` is called before the rules are read again. */
export function useAddProjectRule(projectId: string, onAdded: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateProjectRule) =>
      answerOf(api.POST('/v1/projects/{projectId}/rules', { params: { path: { projectId } }, body })),
    onSuccess: onAdded,
    onSettled: () => projectRulesChanged(queries, projectId),
  });
}

/** `onRemoved` is called before the rules are read again. */
export function useRemoveProjectRule(projectId: string, onRemoved: (rule: ProjectRule) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: ruleId }: ProjectRule) =>
      answerOf(api.DELETE('/v1/projects/{projectId}/rules/{ruleId}', { params: { path: { projectId, ruleId } } })),
    onSuccess: (_nothing, rule) => onRemoved(rule),
    onSettled: () => projectRulesChanged(queries, projectId),
  });
}

export function useRemoveTooWideRule(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ruleId: string) =>
      answerOf(
        api.DELETE('/v1/projects/{projectId}/rules/of-sessions/{ruleId}', { params: { path: { projectId, ruleId } } }),
      ),
    onSettled: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: tooWideQuery(projectId).queryKey }),
        queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
      ]);
    },
  });
}

export function useRemoveRule(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ruleId: string) =>
      answerOf(api.DELETE('/v1/sessions/{sessionId}/rules/{ruleId}', { params: { path: { sessionId, ruleId } } })),
    onSettled: () => rulesChanged(queries, sessionId),
  });
}

/** Moves a session's rule to its project. */
export function usePromoteRule({ sessionId, projectId }: { sessionId: string; projectId: string }) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ruleId: string) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/rules/{ruleId}/promote', { params: { path: { sessionId, ruleId } } }),
      ),
    onSettled: async () => {
      await Promise.all([
        rulesChanged(queries, sessionId),
        queries.invalidateQueries({ queryKey: projectRulesQuery(projectId).queryKey }),
      ]);
    },
  });
}
