import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../lib/http/api';
import { projectAuditKey } from '../../../lib/http/shared-keys';

/** The webhook by which the project's git host reports changes; null while there is none. */
export function projectWebhookQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-webhook', projectId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/projects/{projectId}/git-webhook', { params: { path: { projectId } }, signal })))
        .webhook,
  });
}

async function webhookChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: projectWebhookQuery(projectId).queryKey }),
    queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
  ]);
}

/** Sets it up, or gives it another secret. The answer alone has the secret. */
export function usePutProjectWebhook(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.PUT('/v1/projects/{projectId}/git-webhook', { params: { path: { projectId } } })),
    onSuccess: () => webhookChanged(queries, projectId),
  });
}

export function useRemoveProjectWebhook(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/projects/{projectId}/git-webhook', { params: { path: { projectId } } })),
    onSuccess: () => webhookChanged(queries, projectId),
  });
}
