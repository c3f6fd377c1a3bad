import type { Price } from '@chirality/contracts';
import { newId, normalizeMoney } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';

/** The dated table. What was priced before stays as it is. */
export class PriceRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** By model, then by date. */
  async list(): Promise<Price[]> {
    const rows = await this.database.prisma.price.findMany({ orderBy: [{ model: 'asc' }, { effectiveFrom: 'asc' }] });
    return rows.map((row) => ({
      model: row.model,
      effectiveFrom: row.effectiveFrom.toISOString(),
      input: normalizeMoney(row.input.toFixed()),
      output: normalizeMoney(row.output.toFixed()),
      cacheRead: normalizeMoney(row.cacheRead.toFixed()),
      cacheWrite5m: normalizeMoney(row.cacheWrite5m.toFixed()),
      cacheWrite1h: normalizeMoney(row.cacheWrite1h.toFixed()),
      webSearch: normalizeMoney(row.webSearch.toFixed()),
    }));
  }

  /** Adds rows; one for the same model and date is replaced. All or nothing. */
  async put(prices: readonly Price[]): Promise<void> {
    await inTransaction(this.database.pool, (tx) => insertPrices(tx, prices, 'replace'));
  }

  /** Adds the rows whose model and date are not there yet; safe to call at every start, from several processes. */
  async addMissing(prices: readonly Price[]): Promise<void> {
    await inTransaction(this.database.pool, (tx) => insertPrices(tx, prices, 'keep'));
  }
}

async function insertPrices(tx: Tx, prices: readonly Price[], existing: 'replace' | 'keep'): Promise<void> {
  const onConflict =
    existing === 'keep'
      ? 'NOTHING'
      : `UPDATE SET input = EXCLUDED.input, output = EXCLUDED.output, cache_read = EXCLUDED.cache_read,
         cache_write_5m = EXCLUDED.cache_write_5m, cache_write_1h = EXCLUDED.cache_write_1h,
           web_search = EXCLUDED.web_search`;
  for (const price of prices) {
    await tx.query(
      `INSERT INTO price (id, model, effective_from, input, output, cache_read, cache_write_5m, cache_write_1h,
        web_search)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (model, effective_from) DO ${onConflict}`,
      [
        newId('price'),
        storableText(price.model),
        price.effectiveFrom,
        price.input,
        price.output,
        price.cacheRead,
        price.cacheWrite5m,
        price.cacheWrite1h,
        price.webSearch,
      ],
    );
  }
}
