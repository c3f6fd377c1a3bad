import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { LRUCache } from 'lru-cache';
import type { HintWires } from './hint-channel';
import { withinMs } from './within';
import {
  workspaceChannel,
  workspaceRequestSchema,
  workspaceUnavailable,
  type WorkspaceRequest,
} from './workspace-request';

/** Most bytes of a reply on the wire; what is larger must be cut by the handler. */
const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Far more than a handler works at: those that wait for a long operation must not keep a short one from being looked
 * at.
 */
const MAX_AT_HAND = 256;

const MAX_REMEMBERED = 1_000;

/** How long `close` waits for the operations that have begun. */
const CLOSE_MS = 3_000;

export interface WorkspaceServer {
  /** Whether requests arrive by now; false when Redis is away. They do once it is back. */
  ready: Promise<boolean>;
  /**
   * Refuses what arrives from now on, and resolves when all that arrived is answered, or soon: what is not done by then
   * is refused too, though it may still take effect.
   */
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
  const atHand = new Map<WorkspaceRequest, Promise<void>>();
  // A sender that counts no receiver sends again, and the count may be wrong.
  const received = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let closing = false;

  const reply = async ({ replyTo, requestId }: WorkspaceRequest, answer: WorkspaceReply): Promise<void> => {
    await publisher.publish(replyTo, withinLimit(requestId, answer)).catch(() => undefined);
  };

  const answerOf = async ({ job }: WorkspaceRequest): Promise<WorkspaceReply> => {
    if (closing) return workspaceUnavailable('The worker is stopping. Try again in a moment.');
    if (atHand.size >= MAX_AT_HAND)
      return workspaceUnavailable('The worker has too many requests at hand. Try again in a moment.');
    return handler(job).catch((error: Error) => {
      onError(error);
      return workspaceUnavailable('The worker failed at this. Its log says why.');
    });
  };

  const subscription = subscriber.subscribe(workspaceChannel(workerId), (message) => {
    const { success, data: request } = workspaceRequestSchema.safeParse(JSON.parse(message));
    if (!success || request.deadline < Date.now() || received.has(request.requestId)) return;
    received.set(request.requestId, true);
    const answered = answerOf(request)
      .then((answer) => reply(request, answer))
      .catch(onError)
      .finally(() => atHand.delete(request));
    atHand.set(request, answered);
  });
  return {
    ready: subscription.ready,
    close: async () => {
      closing = true;
      await subscription.drain();
      await withinMs<unknown>(CLOSE_MS, Promise.all(atHand.values()), undefined);
      const undone = workspaceUnavailable('The worker stopped before this was done. It may still have taken effect.');
      await Promise.all([...atHand.keys()].map((request) => reply(request, undone)));
    },
  };
}

function withinLimit(requestId: string, reply: WorkspaceReply): string {
  const message = JSON.stringify({ requestId, reply });
  if (Buffer.byteLength(message) <= MAX_REPLY_BYTES) return message;
  return JSON.stringify({ requestId, reply: workspaceUnavailable('The answer is too large to show.') });
}
