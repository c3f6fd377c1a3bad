import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable, OTHER_SECRET_KEY, PriceRepository, SecretKeyCheck } from '@chirality/database';
import { DEFAULT_PRICES } from '@chirality/domain';
import { ConfigError, SecretBox } from '@chirality/platform';
import type { Services } from '../server/services';
import { ensureOwner } from './ensure-owner';
import { resealStored } from './reseal-stored';

const AGAIN_MS = 500;
const SAY_EVERY_MS = 10_000;
/** After this long the process ends, so that its supervisor sees that something is wrong. */
const DATABASE_LIMIT_MS = 180_000;

/** Postgres says `undefined_table` while the migrations have not run yet. */
const NOT_MIGRATED = '42P01';

/**
 * Waits until the database is there and migrated, then puts in what a first start needs. Says at once and then every
 * ten seconds what it waits for; rejects when the limit is over, or at once for a fault that waiting does not fix.
 */
export async function prepareDatabase(
  services: Services,
  signal: AbortSignal,
  limitMs = DATABASE_LIMIT_MS,
): Promise<void> {
  const startedMs = performance.now();
  let said = { what: '', atMs: -Infinity };
  for (;;) {
    try {
      await requireSecretKey(services);
      await ensureOwner(services.database, services.config, services.log);
      await resealStored(services);
      return await new PriceRepository(services.database).addMissing(DEFAULT_PRICES);
    } catch (error) {
      const waitsFor = reasonToWait(error);
      const now = performance.now();
      if (waitsFor === null || now - startedMs > limitMs || signal.aborted) throw error;
      if (said.what !== waitsFor || now - said.atMs > SAY_EVERY_MS) {
        services.log.warn({ waitedMs: Math.round(now - startedMs), limitMs }, waitsFor);
        said = { what: waitsFor, atMs: now };
      }
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** With another key nothing stored can be opened and every turn would fail, so nothing is begun. */
async function requireSecretKey({ config, database, log }: Services): Promise<void> {
  const check = new SecretKeyCheck(database, new SecretBox(config.secretKey, config.previousSecretKeys));
  if ((await check.establish({ replace: config.secretKeyLost })) === 'same') return;
  log.fatal({ reason: OTHER_SECRET_KEY }, 'secret_key.differs');
  throw new ConfigError(OTHER_SECRET_KEY);
}

function reasonToWait(error: unknown): string | null {
  if (isDatabaseUnavailable(error)) return 'startup.waiting_for_database';
  const text = error instanceof Error ? `${(error as { code?: string }).code ?? ''} ${error.message}` : '';
  return text.includes(NOT_MIGRATED) || text.includes('P2021') || /relation .* does not exist/.test(text)
    ? 'startup.waiting_for_migrations'
    : null;
}
