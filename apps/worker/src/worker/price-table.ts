import type { Price } from '@chirality/contracts';
import type { PriceRepository } from '@chirality/database';
import { DEFAULT_PRICES } from '@chirality/domain';

const REFRESH_EVERY_MS = 60_000;

/** The dated price table as of the last minute; what a message cost is decided when it ends and never changed. */
export class PriceTable {
  private rows: readonly Price[] = DEFAULT_PRICES;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly prices: PriceRepository) {}

  current = (): readonly Price[] => this.rows;

  async load(): Promise<void> {
    await this.prices.addMissing(DEFAULT_PRICES);
    this.rows = await this.prices.list();
    this.timer ??= setInterval(
      () =>
        void this.prices.list().then(
          (rows) => (this.rows = rows),
          () => undefined,
        ),
      REFRESH_EVERY_MS,
    ).unref();
  }
}
