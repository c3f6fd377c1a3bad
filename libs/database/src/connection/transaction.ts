import type { Pool } from 'pg';
import type { Tx } from './database';
import { classifyDatabaseError } from './database-error';
import { inOneWrite } from './in-one-write';
import { sentTogether } from './sent-together';

/**
 * Runs `act` in one transaction at read committed. Commits when it resolves, rolls back when it throws. When the
 * connection is lost while committing, the outcome is unknown and the error says so only by being `unavailable`.
 */
export async function inTransaction<T>(pool: Pool, act: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const [, result] = await inOneWrite(client, () => sentTogether([client.query('BEGIN'), act(client)]));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (classifyDatabaseError(error) === 'unavailable') broken = error as Error;
    else await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    throw error;
  } finally {
    client.release(broken);
  }
}
