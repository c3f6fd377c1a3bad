import type { ProjectRole, ProjectVisibility } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../../lib/http/api';
import { projectAuditKey } from '../../../lib/http/shared-keys';
import { projectChanged } from '../project.api';

/** The people whom a project names. */
export function projectMembersQuery(projectId: string) {
  return queryOptions({
    queryKey: ['project-members', projectId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/projects/{projectId}/members', { params: { path: { projectId } }, signal })),
  });
}

async function membersChanged(queries: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: projectMembersQuery(projectId).queryKey }),
    queries.invalidateQueries({ queryKey: projectAuditKey(projectId) }),
    projectChanged(queries, projectId),
  ]);
}

/** Adds someone of the team, or gives a member another role. */
export function usePutProjectMember(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: ProjectRole }) =>
      answerOf(
        api.PUT('/v1/projects/{projectId}/members/{userId}', {
          params: { path: { projectId, userId } },
          body: { role },
        }),
      ),
    onSuccess: () => membersChanged(queries, projectId),
  });
}

export function useRemoveProjectMember(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) =>
      answerOf(api.DELETE('/v1/projects/{projectId}/members/{userId}', { params: { path: { projectId, userId } } })),
    onSuccess: () => membersChanged(queries, projectId),
  });
}

export function useSetProjectVisibility(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (visibility: ProjectVisibility) =>
      answerOf(api.PATCH('/v1/projects/{projectId}', { params: { path: { projectId } }, body: { visibility } })),
    onSuccess: () => membersChanged(queries, projectId),
  });
}
