import type { Worker } from 'bullmq';
import { withinMs } from './within';

/** While Redis is away its commands wait, so a polite end may never come. */
const POLITE_MS = 3_000;

/** Ends a consumer after what it has in hand, or without that when Redis does not answer. Always resolves soon. */
export async function closeConsumer(consumer: Worker): Promise<void> {
  const closed = consumer.close().then(
    () => true,
    () => false,
  );
  if (await withinMs(POLITE_MS, closed, false)) return;
  consumer.close(true).catch(() => undefined);
}
