import type { CreateToken } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

const DAY_MS = 24 * 3_600_000;

/** My tokens, and those of teams that I manage. */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/tokens', { signal })),
  staleTime: 10_000,
});

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ days, ...token }: Omit<CreateToken, 'expiresAt'> & { days: number }) => {
      const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
      return answerOf(api.POST('/v1/tokens', { body: { ...token, expiresAt } }));
    },
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
