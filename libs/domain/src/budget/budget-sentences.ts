import type { BudgetPeriod, BudgetScope } from '@chirality/contracts';

const WHO: Record<BudgetScope, string> = {
  team: 'the team',
  project: 'this project',
  session: 'this session',
  user: 'the person who sent this',
};
const WHEN: Record<BudgetPeriod, string> = { day: ' today', week: ' this week', month: ' this month', total: '' };

type Named = { scope: BudgetScope; period: BudgetPeriod };

/**
 * When a budget begins again: a moment, in the time zone that its days are counted in; null for one that never does.
 */
export type BudgetReset = { at: Date; timezone: string } | null;

/** Why a message is not accepted. States no amounts: not every reader may see them. */
export function usedUpSentence({ scope, period }: Named, reset: BudgetReset, now: Date): string {
  return `What ${WHO[scope]} may spend${WHEN[period]} is used up${untilWords(reset, now)}`;
}

/** Why a running turn ends. */
export function wouldExceedSentence({ scope, period }: Named, reset: BudgetReset, now: Date): string {
  return `The turn’s next request could pass what ${WHO[scope]} may spend${WHEN[period]}. What was done so far is kept. The budget binds${untilWords(reset, now)}`;
}

function untilWords(reset: BudgetReset, now: Date): string {
  if (reset === null) return ', and it does not reset. An owner or admin can raise the budget.';
  return ` until ${momentIn(reset.at, reset.timezone, now)}, in ${durationWords(reset.at.getTime() - now.getTime())}. An owner or admin can raise the budget before.`;
}

/** `00:00 Tue (Europe/Berlin)`, with the date where it is more than six days away. */
function momentIn(at: Date, timeZone: string, now: Date): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
  const isFar = at.getTime() - now.getTime() > 6 * 86_400_000;
  const date = isFar ? ` ${part({ day: 'numeric' })} ${part({ month: 'short' })}` : '';
  return `${part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })} ${part({ weekday: 'short' })}${date} (${timeZone})`;
}

/** Rounded up, so that waiting as long as it says is enough. */
function durationWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
}
