import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspaceReplySchema, type WorkspaceJob, type WorkspaceReply } from '@chirality/contracts';
import type { Unsubscribe } from './channel-subscriber';
import type { HintWires } from './hint-channel';
import { withinMs } from './within';
import { workspaceChannel, workspaceUnavailable, type WorkspaceRequest } from './workspace-request';

/** How long a worker may be without its connection to Redis before it counts as gone; it connects again within one. */
const ABSENCE_MS = 2_000;
const ABSENCE_LOOK_MS = 50;

/** Asks a worker to act on a session's workspace and waits for its reply, both over pub/sub: nothing is stored. */
export class WorkspaceClient {
  private readonly replyTo = `workspace-replies:${randomUUID()}`;
  private readonly pending = new Map<string, (reply: WorkspaceReply) => void>();
  private readonly subscription: Unsubscribe;

  constructor(private readonly wires: HintWires) {
    this.subscription = wires.subscriber.subscribe(this.replyTo, (message) => this.receive(message));
  }

  /**
   * The worker's reply. `refused` with WORKSPACE_UNAVAILABLE when it did not come within `timeoutMs`, when Redis is
   * away, or when no such worker listens. The operation may then still have been done, or be done within its own
   * limit. Never throws.
   */
  async request(workerId: string, job: WorkspaceJob, timeoutMs = 5_000): Promise<WorkspaceReply> {
    // Without the subscription the reply would not arrive.
    if (!this.wires.subscriber.isConnected) return unreachable();
    const requestId = randomUUID();
    const deadline = Date.now() + timeoutMs;
    const request: WorkspaceRequest = { replyTo: this.replyTo, requestId, deadline, job };
    const reply = new Promise<WorkspaceReply>((resolve) => this.pending.set(requestId, resolve));
    try {
      const refusal = await this.send(workerId, request, Math.min(timeoutMs, ABSENCE_MS));
      if (refusal) return refusal;
      return await withinMs<WorkspaceReply>(
        Math.max(0, deadline - Date.now()),
        reply,
        workspaceUnavailable('The worker that holds this workspace did not answer in time. Try again.'),
      );
    } finally {
      this.pending.delete(requestId);
    }
  }

  close(): void {
    this.subscription();
  }

  /**
   * Null once the worker has the request. It is published again only while no worker received it, so it arrives once.
   */
  private async send(workerId: string, request: WorkspaceRequest, patienceMs: number): Promise<WorkspaceReply | null> {
    const channel = workspaceChannel(workerId);
    const message = JSON.stringify(request);
    for (const startedAt = performance.now(); ; await sleep(ABSENCE_LOOK_MS)) {
      const receivers = await this.wires.publisher.publish(channel, message).catch(() => null);
      if (receivers === null) return unreachable();
      if (receivers > 0) return null;
      if (performance.now() - startedAt + ABSENCE_LOOK_MS > patienceMs)
        return workspaceUnavailable('The worker that holds this workspace cannot be reached. Try again in a moment.');
    }
  }

  private receive(message: string): void {
    const { requestId, reply } = JSON.parse(message) as { requestId: string; reply: unknown };
    const parsed = workspaceReplySchema.safeParse(reply);
    this.pending.get(requestId)?.(
      parsed.success
        ? parsed.data
        : workspaceUnavailable('The worker answered in a format that this version does not know.'),
    );
  }
}

const unreachable = () => workspaceUnavailable('Workers cannot be reached. Try again in a moment.');
