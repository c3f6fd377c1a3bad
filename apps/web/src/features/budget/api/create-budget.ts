import type { Budget, CreateBudget } from '@chirality/contracts';
import { request } from '../../../lib/http/api-client';

export function createBudget(budget: CreateBudget): Promise<Budget> {
  return request('/v1/budgets', { method: 'POST', body: budget });
}
