import type { BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';

export const SCOPE_NAMES: Record<BudgetScope, string> = {
  team: 'The team',
  project: 'A project',
  session: 'A session',
  user: 'A person',
};
export const PERIOD_NAMES: Record<BudgetPeriod, string> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  total: 'total',
};
export const KIND_HINTS: Record<BudgetKind, string> = {
  hard: 'When reached, running turns stop and new ones can’t start.',
  warning: 'Turns keep running; people are warned at 50, 80 and 100 percent.',
};
