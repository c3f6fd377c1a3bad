import { request } from '../../../lib/http/api-client';

export function removeBudget(budgetId: string): Promise<void> {
  return request(`/v1/budgets/${budgetId}`, { method: 'DELETE' });
}
