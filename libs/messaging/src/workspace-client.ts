import { randomUUID } from 'node:crypto';
import { workspaceReplySchema, type WorkspaceJob, type WorkspaceReply } from '@chirality/contracts';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';
import { JOB_OPTIONS, QUEUE_PREFIX, workspaceQueueName, type WorkspaceRequest } from './queue-catalog';
import { withinMs } from './within';

const unavailable = (detail: string): WorkspaceReply => ({ act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail });

/** Asks a worker to act on a session's workspace and waits for its reply. */
export class WorkspaceClient {
  private readonly replyTo = `workspace-replies:${randomUUID()}`;
  private readonly pending = new Map<string, (reply: WorkspaceReply) => void>();
  private readonly queues = new Map<string, Queue>();
  private readonly subscription: Unsubscribe;

  constructor(
    private readonly connection: Redis,
    subscriber: ChannelSubscriber,
    private readonly onError: (error: Error) => void,
  ) {
    this.subscription = subscriber.subscribe(this.replyTo, (message) => this.receive(message));
  }

  /**
   * The worker's reply. `refused` with WORKSPACE_UNAVAILABLE when it did not come within `timeoutMs`; the operation
   * may then still have been done, but no longer starts. Never throws.
   */
  async request(workerId: string, job: WorkspaceJob, timeoutMs = 5_000): Promise<WorkspaceReply> {
    if (this.connection.status !== 'ready') return unavailable('The queue cannot be reached. Try again in a moment.');
    const request: WorkspaceRequest = {
      replyTo: this.replyTo,
      requestId: randomUUID(),
      deadline: Date.now() + timeoutMs,
      job,
    };
    const reply = new Promise<WorkspaceReply>((resolve) => this.pending.set(request.requestId, resolve));
    const added = this.queueOf(workerId).add(job.act, request, { jobId: request.requestId });
    const answered = added.then(
      () => reply,
      () => unavailable('The queue did not take the request. Try again in a moment.'),
    );
    const answer = await withinMs<WorkspaceReply | null>(timeoutMs, answered, null);
    this.pending.delete(request.requestId);
    if (answer) return answer;
    void added.then((waiting) => waiting.remove()).catch(() => undefined);
    return unavailable('The worker that holds this workspace did not answer in time. Try again.');
  }

  async close(): Promise<void> {
    this.subscription();
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private queueOf(workerId: string): Queue {
    const existing = this.queues.get(workerId);
    if (existing) return existing;
    const queue = new Queue(workspaceQueueName(workerId), {
      connection: this.connection,
      prefix: QUEUE_PREFIX,
      defaultJobOptions: JOB_OPTIONS,
      skipMetasUpdate: true,
    });
    queue.on('error', this.onError);
    this.queues.set(workerId, queue);
    return queue;
  }

  private receive(message: string): void {
    const { requestId, reply } = JSON.parse(message) as { requestId: string; reply: unknown };
    const parsed = workspaceReplySchema.safeParse(reply);
    this.pending.get(requestId)?.(
      parsed.success ? parsed.data : unavailable('The worker answered in a form that this version does not know.'),
    );
  }
}
