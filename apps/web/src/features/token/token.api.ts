import type { CreateToken } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

/** My tokens, and those of teams that I manage. */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/tokens', { signal })),
  staleTime: 10_000,
});

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateToken) => answerOf(api.POST('/v1/tokens', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) => answerOf(api.DELETE('/v1/tokens/{tokenId}', { params: { path: { tokenId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
