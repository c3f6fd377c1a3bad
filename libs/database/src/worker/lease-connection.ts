import { Client } from 'pg';
import { openLivenessLock } from './liveness-lock';
import type { WorkerLife } from './lease';
import { renewLease } from './worker.sql';

/** A renewal that takes longer is worth less than a fresh try. */
const RENEWAL_TIMEOUT_MS = 4_000;

export interface LeaseConnection {
  /**
   * Extends the lease of that life by its TTL. False when it counts as dead. Rejects when the server did not answer in
   * time; whether the lease was extended is unknown then.
   */
  renew(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * One separate connection for one worker's lease, so that no other work of the worker can delay it, opened when first
 * needed and again after it broke; and beside it the one that holds the liveness lock, which a slow renewal must not
 * cost.
 */
export function openLeaseConnection(options: { url: string; worker: WorkerLife; ttlMs?: number }): LeaseConnection {
  const liveness = openLivenessLock({ url: options.url, life: options.worker.life });
  let client: Client | null = null;

  async function connect(): Promise<Client> {
    const fresh = new Client({
      connectionString: options.url,
      application_name: 'chirality lease',
      connectionTimeoutMillis: RENEWAL_TIMEOUT_MS,
      query_timeout: RENEWAL_TIMEOUT_MS,
      statement_timeout: RENEWAL_TIMEOUT_MS,
      keepAlive: true,
    });
    fresh.on('error', () => discard(fresh));
    try {
      await fresh.connect();
    } catch (error) {
      discard(fresh);
      throw error;
    }
    return fresh;
  }

  function discard(broken: Client): void {
    if (client === broken) client = null;
    void broken.end().catch(() => undefined);
  }

  return {
    renew: async () => {
      const used = (client ??= await connect());
      try {
        return await renewLease(used, options.worker, {
          ttlMs: options.ttlMs,
          livenessKey: liveness.heldKey(),
        });
      } catch (error) {
        discard(used);
        throw error;
      }
    },
    close: async () => {
      const open = client;
      client = null;
      await Promise.all([open?.end().catch(() => undefined), liveness.close()]);
    },
  };
}
