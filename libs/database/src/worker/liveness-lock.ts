import { createHash } from 'node:crypto';
import { Client } from 'pg';

/** The first number of every liveness lock; the second is the life's. */
const LOCK_CLASS = 7_021_455;
const RETRY_MS = 1_000;
const TIMEOUT_MS = 4_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** SQL: a connection of this database holds the liveness lock of that key. False of every key in a database without such locks. */
export const livenessLockIsHeld = (key: string) => `EXISTS (
  SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = ${LOCK_CLASS}::oid
    AND l.objid = ${key}::oid AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))`;

interface LivenessLock {
  /** The key while the lock is held, as far as this side of the connection knows, which may not have noticed its end; else null. */
  heldKey(): number | null;
  close(): Promise<void>;
}

/**
 * Shows that this life of a worker lives: an advisory lock on a connection that does nothing else, so the server frees it
 * in the moment in which the process is gone, while a process that is only slow keeps it. Connects at once, and again
 * whenever the connection was lost. Behind a pooler that changes connections between statements, the lock outlives the
 * worker with the pooler's connection, which leaves the lease as the only judge.
 */
export function openLivenessLock({ url, life }: { url: string; life: string }): LivenessLock {
  const key = livenessKeyOf(life);
  let client: Client | null = null;
  let isHeld = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function take(): Promise<void> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'chirality liveness',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      // It sends nothing, so only this shows that a router or a pooler has forgotten the connection.
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    client = fresh;
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    try {
      await fresh.connect();
      const { rows } = await fresh.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
        LOCK_CLASS,
        key,
      ]);
      // Not taken: the server has not noticed yet that an earlier connection of ours is gone.
      if (rows[0]?.taken !== true) lose(fresh);
      else isHeld = client === fresh;
    } catch {
      lose(fresh);
    }
  }

  function lose(broken: Client): void {
    if (client !== broken) return;
    client = null;
    isHeld = false;
    void broken.end().catch(() => undefined);
    if (!isClosed) retry = setTimeout(() => void take(), RETRY_MS);
  }

  void take();
  return {
    heldKey: () => (isHeld ? key : null),
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      const open = client;
      client = null;
      isHeld = false;
      await open?.end().catch(() => undefined);
    },
  };
}

/** 31 bits of the life: two lives that share them only hide each other's end until the lease runs out. */
export function livenessKeyOf(life: string): number {
  return createHash('sha256').update(life).digest().readUInt32BE() >>> 1;
}
