import type { Budget } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function setBudgetLimit({ budgetId, limitUsd }: { budgetId: string; limitUsd: string }): Promise<Budget> {
  return request(`/v1/budgets/${budgetId}`, { method: 'PATCH', body: { limitUsd } });
}
