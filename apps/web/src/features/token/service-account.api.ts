import type { CreateServiceAccount, UpdateServiceAccount } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';
import { membersChanged } from '../access/access.api';
import { tokensQuery } from './token.api';

/** Of teams that I manage, and those that I answer for. */
export const serviceAccountsQuery = queryOptions({
  queryKey: ['service-accounts'],
  queryFn: ({ signal }) => rowsOf(api.GET('/v1/service-accounts', { signal })),
  staleTime: 10_000,
});

function useChanged() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: serviceAccountsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
      membersChanged(queries),
    ]);
}

export function useCreateServiceAccount() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (body: CreateServiceAccount) => answerOf(api.POST('/v1/service-accounts', { body })),
    onSuccess: changed,
  });
}

/** A key of the model's service goes with it: nothing of the request is kept. */
export function useUpdateServiceAccount(serviceAccountId: string) {
  const changed = useChanged();
  return useMutation({
    gcTime: 0,
    mutationFn: (body: UpdateServiceAccount) =>
      answerOf(api.PATCH('/v1/service-accounts/{serviceAccountId}', { params: { path: { serviceAccountId } }, body })),
    onSuccess: changed,
  });
}

export function useDeleteServiceAccount() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (serviceAccountId: string) =>
      answerOf(api.DELETE('/v1/service-accounts/{serviceAccountId}', { params: { path: { serviceAccountId } } })),
    onSettled: changed,
  });
}
