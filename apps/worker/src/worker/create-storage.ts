import { createDatabase, EventLogWriter } from '@chirality/database';
import { createMessaging } from '@chirality/messaging';
import { createBlobStore, SecretBox, type Config, type Logger } from '@chirality/platform';
import { spillLargePayloads } from '../event/spill-large-payloads';
import { LEASE_GIVE_UP_MS } from '../lease';

export type Storage = ReturnType<typeof createStorage>;

/** Where everything is kept and said: rows, events, blobs, hints; and what seals the secrets among them. */
export function createStorage(config: Config, log: Logger) {
  const onIdleError = (error: Error) => log.debug({ err: error }, 'database.connection_lost');
  // Longer than that nothing of this worker outlives its database anyway.
  const database = createDatabase({ url: config.databaseUrl, patienceMs: LEASE_GIVE_UP_MS, onIdleError });
  const messaging = createMessaging({
    redisUrl: config.redisUrl,
    onError: (error) => log.debug({ err: error }, 'redis.error'),
  });
  const blobs = createBlobStore(config.blobUrl);
  const eventLog = new EventLogWriter({
    pool: database.eventPool,
    onCommitted: messaging.publishCommitted,
    spill: spillLargePayloads(blobs),
  });
  return { database, messaging, blobs, eventLog, secrets: new SecretBox(config.secretKey, config.previousSecretKeys) };
}
