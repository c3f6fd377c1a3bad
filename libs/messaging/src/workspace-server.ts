import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import type { HintWires } from './hint-channel';
import { withinMs } from './within';
import { workspaceChannel, workspaceRequestSchema, workspaceUnavailable } from './workspace-request';

/** Most bytes of a reply on the wire; what is larger must be cut by the handler. */
const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Far more than a handler works at: those that wait for a long operation must not keep a short one from being looked
 * at.
 */
const MAX_AT_HAND = 256;

/** How long `close` waits for the operations that have begun. */
const CLOSE_MS = 3_000;

export interface WorkspaceServer {
  /** Whether requests arrive by now; false when Redis is away. They do once it is back. */
  ready: Promise<boolean>;
  /** Takes no further request, and resolves when those at hand are answered, or soon. */
  close(): Promise<void>;
}

/**
 * Runs the operations that are requested of this worker: the handler bounds how many of them work. A request whose
 * caller has stopped waiting is not begun; a handler that throws refuses with WORKSPACE_UNAVAILABLE and its error goes
 * to `onError`.
 */
export function serveWorkspaceJobs(
  { publisher, subscriber }: HintWires,
  workerId: string,
  handler: (job: WorkspaceJob) => Promise<WorkspaceReply>,
  onError: (error: Error) => void,
): WorkspaceServer {
  const atHand = new Set<Promise<void>>();

  const answer = async (message: string): Promise<void> => {
    const request = workspaceRequestSchema.safeParse(JSON.parse(message));
    if (!request.success || request.data.deadline < Date.now()) return;
    const { replyTo, requestId, job } = request.data;
    const reply =
      atHand.size >= MAX_AT_HAND
        ? workspaceUnavailable('The worker has too many requests at hand. Try again in a moment.')
        : await handler(job).catch((error: Error) => {
            onError(error);
            return workspaceUnavailable('The worker failed at this. Its log says why.');
          });
    await publisher.publish(replyTo, withinLimit(requestId, reply)).catch(() => undefined);
  };

  const subscription = subscriber.subscribe(workspaceChannel(workerId), (message) => {
    const answered = answer(message)
      .catch(onError)
      .finally(() => atHand.delete(answered));
    atHand.add(answered);
  });
  return {
    ready: subscription.ready,
    close: async () => {
      subscription();
      await withinMs<unknown>(CLOSE_MS, Promise.all(atHand), undefined);
    },
  };
}

function withinLimit(requestId: string, reply: WorkspaceReply): string {
  const message = JSON.stringify({ requestId, reply });
  if (Buffer.byteLength(message) <= MAX_REPLY_BYTES) return message;
  return JSON.stringify({ requestId, reply: workspaceUnavailable('The answer is too large to show.') });
}
