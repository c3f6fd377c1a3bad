import type { Deletion } from '@chirality/contracts';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';
import { sessionsKey } from '../../lib/http/shared-keys';

const deletionsKey = ['deletions'] as const;

/** What was deleted and can be restored, of one team. */
export function deletionsQuery(teamId: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...deletionsKey, teamId],
    queryFn: ({ signal, pageParam: cursor }) =>
      answerOf(api.GET('/v1/deletions', { params: { query: { teamId, cursor, limit: 50 } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });
}

/** Lists of sessions and projects change with what is deleted and restored. */
function useListsChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([deletionsKey, sessionsKey, ['projects']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export function useRestoreDeleted() {
  const changed = useListsChanged();
  return useMutation({
    mutationFn: async ({ kind, id }: Deletion): Promise<void> => {
      if (kind === 'session')
        await answerOf(api.POST('/v1/sessions/{sessionId}/restore', { params: { path: { sessionId: id } } }));
      else await answerOf(api.POST('/v1/projects/{projectId}/restore', { params: { path: { projectId: id } } }));
    },
    onSettled: changed,
  });
}

/** There is no way back from this one. */
export function usePurge() {
  const changed = useListsChanged();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/v1/deletions/{deletedId}', { params: { path: { deletedId: id } } })),
    onSettled: changed,
  });
}
