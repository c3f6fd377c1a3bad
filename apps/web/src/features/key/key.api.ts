import type { KeyScope } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/keys', { signal })),
  staleTime: 30_000,
});

export const keysChanged = (queries: QueryClient) => queries.invalidateQueries({ queryKey: keysQuery.queryKey });

/** Replaces an earlier key of the scope, if there is one. */
export function useSetKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { teamId: string; scope: KeyScope; value: string }) => answerOf(api.POST('/v1/keys', { body })),
    onSuccess: () => keysChanged(queries),
  });
}

export function useRemoveKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => answerOf(api.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } })),
    onSettled: () => keysChanged(queries),
  });
}
