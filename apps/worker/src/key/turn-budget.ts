import { addMoney, compareMoney, subtractMoney } from '@chirality/domain';

export type Reservation = {
  /** The request is over and used this much; what was reserved beyond it is free again. Call once. */
  settle(usedUsd: string): void;
};

/**
 * What one turn may still spend. Whatever is open is counted as if it used all that was reserved for it, so requests that
 * run side by side cannot together pass the limit. Amounts are decimal US dollars; no limit is null.
 */
export class TurnBudget {
  private spentUsd = '0';
  private reservedUsd = '0';

  constructor(readonly limitUsd: string | null) {}

  /** Null when the turn could then pass its limit. */
  reserve(mostUsd: string): Reservation | null {
    if (this.limitUsd !== null && compareMoney(addMoney(addMoney(this.spentUsd, this.reservedUsd), mostUsd), this.limitUsd) > 0) return null;
    this.reservedUsd = addMoney(this.reservedUsd, mostUsd);
    return {
      settle: (usedUsd) => {
        this.reservedUsd = subtractMoney(this.reservedUsd, mostUsd);
        this.spentUsd = addMoney(this.spentUsd, usedUsd);
      },
    };
  }

  /** What was spent by requests that are over. */
  get spent(): string {
    return this.spentUsd;
  }
}
