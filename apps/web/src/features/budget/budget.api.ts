import type { CreateBudget } from '@chirality/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

export const budgetsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['budgets', teamId],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/budgets', { params: { query: { teamId } }, signal })),
    refetchInterval: 30_000,
  });

function budgetsChanged(queries: QueryClient, teamId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: budgetsQuery(teamId).queryKey });
}

export function useCreateBudget(teamId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: Omit<CreateBudget, 'teamId'>) =>
      answerOf(api.POST('/v1/budgets', { body: { ...budget, teamId } })),
    onSuccess: () => budgetsChanged(queries, teamId),
  });
}

type BudgetOfTeam = { id: string; teamId: string };

export function useSetBudgetLimit({ id: budgetId, teamId }: BudgetOfTeam) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limitUsd: string) =>
      answerOf(api.PATCH('/v1/budgets/{budgetId}', { params: { path: { budgetId } }, body: { limitUsd } })),
    onSuccess: () => budgetsChanged(queries, teamId),
  });
}

export function useRemoveBudget({ id: budgetId, teamId }: BudgetOfTeam) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/budgets/{budgetId}', { params: { path: { budgetId } } })),
    onSuccess: () => budgetsChanged(queries, teamId),
  });
}
