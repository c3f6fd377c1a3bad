import type { BudgetPeriod, BudgetScope } from '@chirality/contracts';

const WHO: Record<BudgetScope, string> = { team: 'the team', project: 'this project', session: 'this session', user: 'the person who sent this' };
const WHEN: Record<BudgetPeriod, string> = { day: ' today', week: ' this week', month: ' this month', total: '' };
const AGAIN: Record<BudgetPeriod, string> = { day: ', or it goes on tomorrow', week: ', or it goes on next week', month: ', or it goes on next month', total: '' };

type Named = { scope: BudgetScope; period: BudgetPeriod };

/** Why a message is not accepted. Tells no amounts: not everybody who reads it may see them. */
export function usedUpSentence({ scope, period }: Named): string {
  return `What ${WHO[scope]} may spend${WHEN[period]} is used up. An owner or admin can raise the budget${AGAIN[period]}.`;
}

/** Why a running turn ends. */
export function wouldExceedSentence({ scope, period }: Named): string {
  return `The turn’s next request could pass what ${WHO[scope]} may spend${WHEN[period]}. What was done so far is kept. An owner or admin can raise the budget${AGAIN[period]}.`;
}
