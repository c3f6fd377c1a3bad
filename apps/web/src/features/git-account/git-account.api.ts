import type { CreateGitAccount } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

/** My own accounts and those of my teams. */
export const gitAccountsQuery = queryOptions({
  queryKey: ['git-accounts'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/git-accounts', { signal })),
  staleTime: 30_000,
});

export const gitHostKeysQuery = queryOptions({
  queryKey: ['git-host-keys'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/git-host-keys', { signal })),
  staleTime: 30_000,
});

/** A use of an account is in its row, and a host that was reached for the first time is known. */
function accountsChanged(queries: QueryClient) {
  return Promise.all([
    queries.invalidateQueries({ queryKey: gitAccountsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: gitHostKeysQuery.queryKey }),
  ]);
}

export function useAddGitAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateGitAccount) => answerOf(api.POST('/v1/git-accounts', { body })),
    onSuccess: () => accountsChanged(queries),
  });
}

export function useRemoveGitAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (accountId: string) =>
      answerOf(api.DELETE('/v1/git-accounts/{accountId}', { params: { path: { accountId } } })),
    onSettled: () => accountsChanged(queries),
  });
}

export function useTestGitAccount(accountId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { url: string; teamId?: string }) =>
      answerOf(api.POST('/v1/git-accounts/{accountId}/test', { params: { path: { accountId } }, body })),
    onSettled: () => accountsChanged(queries),
  });
}

export function useForgetHostKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (hostKeyId: string) =>
      answerOf(api.DELETE('/v1/git-host-keys/{hostKeyId}', { params: { path: { hostKeyId } } })),
    onSettled: () => accountsChanged(queries),
  });
}
