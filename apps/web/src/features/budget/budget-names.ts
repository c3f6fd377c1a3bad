import type { BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';

export const SCOPE_NAMES: Record<BudgetScope, string> = { team: 'The team', project: 'A project', session: 'A session', user: 'A person' };
export const PERIOD_NAMES: Record<BudgetPeriod, string> = { day: 'a day', week: 'a week', month: 'a month', total: 'in all' };
export const KIND_HINTS: Record<BudgetKind, string> = {
  hard: 'Nothing that could pass it is asked of the model: running turns stop, new ones do not begin.',
  warning: 'Nothing is refused; people are told at 50, 80 and 100 percent.',
};
