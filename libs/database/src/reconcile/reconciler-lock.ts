import type { Pool } from 'pg';
import type { Tx } from '../connection/database';
import { classifyDatabaseError } from '../connection/database-error';

const ADVISORY_LOCK_KEY = 7_021_454;

/**
 * How long a holder may say nothing on the connection of the lock. One that is stopped, or cut off, would keep all
 * others from reconciling for as long: the server ends its connection, and the lock with it. A round that only takes
 * long may lose it too, which is harmless: two rounds at once settle each turn once.
 */
const SILENT_MS = 10_000;

const TAKE_SQL = `WITH lock AS MATERIALIZED (SELECT pg_try_advisory_lock($1) AS taken)
  SELECT taken, set_config('idle_session_timeout',
    CASE WHEN taken THEN $2 ELSE current_setting('idle_session_timeout') END, false) FROM lock`;

/**
 * Runs `act` unless another process does at this moment, on the connection that holds the lock; answers whether it
 * ran. A holder that falls silent for `silentMs` loses the lock.
 */
export async function withReconcilerLock(
  pool: Pool,
  act: (tx: Tx) => Promise<void>,
  silentMs = SILENT_MS,
): Promise<boolean> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ taken: boolean }>(TAKE_SQL, [ADVISORY_LOCK_KEY, `${silentMs}ms`]);
    if (!rows[0]?.taken) return false;
    try {
      await act(client);
      return true;
    } finally {
      await client
        .query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK_KEY])
        // A connection that waits in the pool may be silent.
        .then(() => client.query('RESET idle_session_timeout'))
        .catch((error: Error) => (broken = error));
    }
  } catch (error) {
    if (classifyDatabaseError(error) === 'unavailable') broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
