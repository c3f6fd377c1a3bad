import {
  addMoney,
  grantWithin,
  subtractMoney,
  type Grant,
  type RequestBounds,
  type SpendingLimit,
} from '@chirality/domain';

export type Reservation = {
  amountUsd: string;
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

  /** Reserves what the request is granted; see `grantWithin`. */
  reserve(
    bounds: Pick<RequestBounds, 'mostUsd' | 'leastUsd'>,
    patient: boolean,
  ): { outcome: 'reserved'; reservation: Reservation } | Exclude<Grant<SpendingLimit>, { outcome: 'granted' }> {
    const limits =
      this.limitUsd === null
        ? []
        : [{ limitUsd: this.limitUsd, spentUsd: this.spentUsd, reservedUsd: this.reservedUsd }];
    const grant = grantWithin(limits, bounds, patient);
    if (grant.outcome !== 'granted') return grant;
    const { amountUsd } = grant;
    this.reservedUsd = addMoney(this.reservedUsd, amountUsd);
    const settle = (usedUsd: string) => {
      this.reservedUsd = subtractMoney(this.reservedUsd, amountUsd);
      this.spentUsd = addMoney(this.spentUsd, usedUsd);
    };
    return { outcome: 'reserved', reservation: { amountUsd, settle } };
  }

  /** What was spent by requests that are over. */
  get spent(): string {
    return this.spentUsd;
  }
}
