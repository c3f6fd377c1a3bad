import type { Budget, CreateBudget, Page } from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';

export const budgetsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['budgets', teamId],
    queryFn: async ({ signal }) =>
      (await request<Page<Budget>>(`/v1/budgets${queryString({ teamId })}`, { signal })).data,
    refetchInterval: 30_000,
  });

export function createBudget(budget: CreateBudget): Promise<Budget> {
  return request('/v1/budgets', { method: 'POST', body: budget });
}

export function removeBudget(budgetId: string): Promise<void> {
  return request(`/v1/budgets/${budgetId}`, { method: 'DELETE' });
}

export function setBudgetLimit({ budgetId, limitUsd }: { budgetId: string; limitUsd: string }): Promise<Budget> {
  return request(`/v1/budgets/${budgetId}`, { method: 'PATCH', body: { limitUsd } });
}

export function budgetsChanged(queries: QueryClient, teamId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: budgetsQuery(teamId).queryKey });
}
