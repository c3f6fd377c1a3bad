import type { Pool } from 'pg';
import type { Tx } from '../connection/database';
import { classifyDatabaseError } from '../connection/database-error';

const ADVISORY_LOCK_KEY = 7_021_454;

/**
 * Runs `act` unless another process does at this moment, on the connection that holds the lock; answers whether it
 * ran.
 */
export async function withReconcilerLock(pool: Pool, act: (tx: Tx) => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      ADVISORY_LOCK_KEY,
    ]);
    if (!rows[0]?.taken) return false;
    try {
      await act(client);
      return true;
    } finally {
      await client
        .query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK_KEY])
        .catch((error: Error) => (broken = error));
    }
  } catch (error) {
    if (classifyDatabaseError(error) === 'unavailable') broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
