import { compareMoney, moneyToUnits, unitsToMoney } from '../cost/money';
import type { RequestBounds } from '../cost/request-bounds';

/** What may be spent, what was, and what requests that are open may still spend. Decimal US dollars. */
export type SpendingLimit = { limitUsd: string; spentUsd: string; reservedUsd: string };

export type Grant<Limit> =
  | { outcome: 'granted'; amountUsd: string }
  /** It falls short only of what other open requests hold, most of which they will not use. */
  | { outcome: 'wait' }
  | { outcome: 'exceeded'; limit: Limit };

/**
 * How much a request may cost within all of these limits together: all that it asks for where that fits. Where it does
 * not, a patient one waits for the requests that hold what is missing; one that is alone, or waits no more, is granted
 * what is left, as long as that pays for the shortest answer worth asking for.
 */
export function grantWithin<Limit extends SpendingLimit>(
  limits: readonly Limit[],
  { mostUsd, leastUsd }: Pick<RequestBounds, 'mostUsd' | 'leastUsd'>,
  patient: boolean,
): Grant<Limit> {
  let tightest: Limit | null = null;
  for (const limit of limits) {
    if (left(limit) < moneyToUnits(leastUsd)) return { outcome: 'exceeded', limit };
    if (tightest === null || free(limit) < free(tightest)) tightest = limit;
  }
  if (tightest === null || free(tightest) >= moneyToUnits(mostUsd)) return { outcome: 'granted', amountUsd: mostUsd };
  if (patient && compareMoney(tightest.reservedUsd, '0') > 0) return { outcome: 'wait' };
  if (free(tightest) < moneyToUnits(leastUsd)) return { outcome: 'exceeded', limit: tightest };
  return { outcome: 'granted', amountUsd: unitsToMoney(free(tightest)) };
}

function left({ limitUsd, spentUsd }: SpendingLimit): bigint {
  return moneyToUnits(limitUsd) - moneyToUnits(spentUsd);
}

function free(limit: SpendingLimit): bigint {
  return left(limit) - moneyToUnits(limit.reservedUsd);
}
