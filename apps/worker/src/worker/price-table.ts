import type { Price } from '@chirality/contracts';
import type { PriceRepository } from '@chirality/database';
import { DEFAULT_PRICES } from '@chirality/domain';
import { every } from '@chirality/platform';

const REFRESH_EVERY_MS = 60_000;

/** The prices by date as of the last minute; what a message cost is decided when it ends and never changed. */
export class PriceTable {
  private rows: readonly Price[] = DEFAULT_PRICES;
  private stop: (() => void) | null = null;

  constructor(private readonly prices: PriceRepository) {}

  current = (): readonly Price[] => this.rows;

  async load(): Promise<void> {
    await this.prices.addMissing(DEFAULT_PRICES);
    await this.refresh();
    this.stop ??= every(REFRESH_EVERY_MS, () => this.refresh(), { onError: () => undefined, background: true });
  }

  private async refresh(): Promise<void> {
    this.rows = await this.prices.list();
  }
}
