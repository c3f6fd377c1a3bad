import type { Budget, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export const budgetsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['budgets', teamId],
    queryFn: async ({ signal }) =>
      (await request<Page<Budget>>(`/v1/budgets${queryString({ teamId })}`, { signal })).data,
    refetchInterval: 30_000,
  });
