import { createDatabase, DatabasePulse, EventLogWriter, WorkerRepository, type Database } from '@chirality/database';
import { createMessaging, type Messaging } from '@chirality/messaging';
import {
  createBlobStore,
  diskSpace,
  HealthRegistry,
  isDiskLow,
  type BlobStore,
  type Config,
  type HealthReport,
  type Logger,
} from '@chirality/platform';
import { rareWarning } from '../core/rare-log';

/** What the whole process has one of, beneath everything that Nest builds. */
export interface Services {
  config: Config;
  log: Logger;
  database: Database;
  pulse: DatabasePulse;
  messaging: Messaging;
  eventLog: EventLogWriter;
  blobs: BlobStore;
  health: HealthRegistry;
}

/** Opens nothing that must answer: Postgres and Redis may be away now and at any later time. */
export function createServices(config: Config, log: Logger): Services {
  const databaseLost = rareWarning(log, 'database.connection_lost');
  const redisLost = rareWarning(log, 'redis.unreachable');
  const database = createDatabase({ url: config.databaseUrl, onIdleError: databaseLost });
  const pulse = new DatabasePulse(config.databaseUrl);
  pulse.start();
  const messaging = createMessaging({ redisUrl: config.redisUrl, onError: redisLost });
  const eventLog = new EventLogWriter({
    pool: database.eventPool,
    onCommitted: (sessionId, envelopes) => messaging.publishCommitted(sessionId, envelopes),
  });
  const health = new HealthRegistry();
  health.register({ name: 'database', critical: true, check: () => answers(database, pulse) });
  health.register({ name: 'redis', critical: false, check: () => messaging.health() });
  health.register({ name: 'workers', critical: false, check: () => workersState(database) });
  health.register({ name: 'disk', critical: false, check: () => diskState(config.dataDir) });
  return {
    config,
    log,
    database,
    pulse,
    messaging,
    eventLog,
    blobs: createBlobStore(config.blobUrl),
    health,
  };
}

async function answers(database: Database, pulse: DatabasePulse): Promise<HealthReport> {
  if (pulse.isSilent) return { status: 'unavailable', detail: 'the database does not answer' };
  await database.prisma.$queryRaw`SELECT 1`;
  return { status: 'ok' };
}

async function workersState(database: Database): Promise<HealthReport> {
  const { workers, sandboxed, detail, silentSeconds } = await new WorkerRepository(database).findReadiness();
  if (sandboxed > 0)
    return silentSeconds === null
      ? { status: 'ok' }
      : { status: 'degraded', detail: `no word from a worker for ${silentSeconds} s; running turns may be lost` };
  return {
    status: 'degraded',
    detail: workers === 0 ? 'no worker is running' : `no worker has a working sandbox${detail ? `: ${detail}` : ''}`,
  };
}

async function diskState(dataDir: string): Promise<HealthReport> {
  const space = await diskSpace(dataDir);
  if (space === null || !isDiskLow(space)) return { status: 'ok' };
  return {
    status: 'degraded',
    detail: `the disk has only ${Math.round(space.freeBytes / 1024 ** 2)} MiB left: make room before turns fail`,
  };
}

/** What was committed is out; connections are given back. */
export async function closeServices(
  { eventLog, messaging, database, pulse }: Services,
  eventsLimitMs = 2_000,
): Promise<void> {
  pulse.close();
  await eventLog.close(eventsLimitMs);
  await messaging.close();
  await database.close();
}
