import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { PrismaClient } from '../generated/client';
import { PatientPool } from './patient-pool';

/** What SQL runs on: a transaction's connection, or the pool itself where one statement is enough. */
export type Tx = Pick<Pool, 'query'>;

export interface Database {
  prisma: PrismaClient;
  /** Shared by Prisma and by the repositories' own SQL. */
  pool: Pool;
  /** Small and separate, so that slow reads cannot keep the event log from writing. */
  eventPool: Pool;
  /** Ends both pools after what runs on them. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** Most connections of the shared pool. */
  poolSize?: number | undefined;
  /** How long callers of the shared pool wait for a server that is away; by default they fail at once. */
  patienceMs?: number;
  /** Receives errors of idle connections, which are replaced automatically. */
  onIdleError?: (error: Error) => void;
}

const IDLE_MS = 5 * 60_000;
/** Shorter than any firewall forgets a connection on which nothing is said. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Opens nothing yet: connections are made when needed and again after they were lost. Every wait has an end, on the
 * server (`statement_timeout`, `lock_timeout`) and here (`query_timeout`), so that a stuck server fails calls instead
 * of collecting them.
 */
export function createDatabase({ url, poolSize = 10, patienceMs = 0, onIdleError }: DatabaseOptions): Database {
  const shared: PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: 'chirality',
    // Prisma's adapter drops the offset of what it reads and sends times without one: both are right only in UTC.
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 20_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // A new connection costs its first user several times what a statement does, and plans every statement again.
    idleTimeoutMillis: IDLE_MS,
    // What does not depend on an answer is sent without waiting for it: a transaction costs fewer round trips.
    pipeline: true,
  };
  const pool = new PatientPool(
    { ...shared, max: poolSize, statement_timeout: 15_000, lock_timeout: 5_000, query_timeout: 20_000 },
    patienceMs,
  );
  const eventPool = new Pool({
    ...shared,
    application_name: 'chirality events',
    // The few statements that run here are always the same, and planning one takes longer than running it.
    options: `${shared.options} -c plan_cache_mode=force_generic_plan`,
    max: 3,
    statement_timeout: 8_000,
    lock_timeout: 100,
    query_timeout: 10_000,
  });
  for (const each of [pool, eventPool]) {
    each.on('error', (error) => onIdleError?.(error));
    // A connection that is lost between two statements of a transaction reports it as an event, which ends the process
    // when it has no listener; the next statement fails anyway.
    each.on('connect', (client) => client.on('error', () => undefined));
  }
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    prisma,
    pool,
    eventPool,
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), eventPool.end()]);
    },
  };
}
