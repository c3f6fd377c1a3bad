import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { closeConsumer } from './close-consumer';
import { consumerOptions, SILENT_CONSUMER_MS, workspaceQueueName, workspaceRequestSchema } from './queue-catalog';

/** Most bytes of a reply on the wire; what is larger must be cut by the handler. */
const WORKSPACE_REPLY_LIMIT_BYTES = 1024 * 1024;

/** Far more than work at once: those that wait for a long act must not keep a short one from being looked at. */
const TAKEN_AT_ONCE = 64;

/**
 * Runs the acts that are asked of this worker: the handler bounds how many of them work. A request whose asker has stopped waiting is not begun;
 * a handler that throws refuses with WORKSPACE_UNAVAILABLE and its error goes to `onError`.
 */
export function serveWorkspaceJobs(
  connection: Redis,
  publisher: Redis,
  workerId: string,
  handler: (job: WorkspaceJob) => Promise<WorkspaceReply>,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const consumer = new Worker(
    workspaceQueueName(workerId),
    async ({ data }) => {
      const request = workspaceRequestSchema.safeParse(data);
      if (!request.success || request.data.deadline < Date.now()) return;
      const { replyTo, requestId, job } = request.data;
      const reply = await handler(job).catch((error: Error) => {
        onError(error);
        return refusal('The worker failed at this. Its log says why.');
      });
      await publisher.publish(replyTo, withinLimit(requestId, reply)).catch(() => undefined);
    },
    { ...consumerOptions(SILENT_CONSUMER_MS), connection, concurrency: TAKEN_AT_ONCE },
  );
  consumer.on('error', onError);
  return { close: () => closeConsumer(consumer) };
}

function withinLimit(requestId: string, reply: WorkspaceReply): string {
  const message = JSON.stringify({ requestId, reply });
  if (Buffer.byteLength(message) <= WORKSPACE_REPLY_LIMIT_BYTES) return message;
  return JSON.stringify({ requestId, reply: refusal('The answer is too large to be shown.') });
}

function refusal(detail: string): WorkspaceReply {
  return { act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail };
}
