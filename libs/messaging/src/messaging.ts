import type { Envelope, WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { AttemptCounter } from './attempt-counter';
import { AccessChannel, AheadChannel, PresenceChannel, SessionChannel, TurnSignals } from './channels';
import { ChannelSubscriber } from './channel-subscriber';
import { EventBus } from './event-bus';
import { checkMessaging, type MessagingHealth } from './messaging-health';
import { connectRedis } from './redis-connection';
import { listedChange } from './listed-change';
import { MetricsBoard } from './metrics-board';
import { SILENT_CONSUMER_MS } from './queue-catalog';
import { TurnQueue } from './turn-queue';
import { serveTurnWakes, type TurnWakes } from './turn-wakes';
import { WorkspaceClient } from './workspace-client';
import { serveWorkspaceJobs, type WorkspaceServer } from './workspace-server';

interface MessagingOptions {
  /** `redis://…`, `rediss://…` or `unix:/path/redis.sock`. */
  redisUrl: string;
  /** Connection errors repeat while Redis is away; the caller decides how often to log them. */
  onError?: (error: Error) => void;
  /** After what silence a consumer of wake-ups is taken for dead; 15 s. */
  silentConsumerMs?: number;
}

export interface Messaging {
  turns: TurnQueue;
  events: EventBus;
  signals: TurnSignals;
  workspaces: WorkspaceClient;
  access: AccessChannel;
  presence: PresenceChannel;
  sessionChanges: SessionChannel;
  ahead: AheadChannel;
  attempts: AttemptCounter;
  metrics: MetricsBoard;
  /**
   * Tells the processes that watch the session, or list it, of events that are committed. Never throws and never waits.
   */
  publishCommitted(sessionId: string, envelopes: Envelope[]): void;
  serveTurnWakes(
    handler: (turnId: string, isShared: boolean) => Promise<void>,
    options?: { workerId?: string; yieldToOthers?: () => Promise<void> },
  ): TurnWakes;
  serveWorkspaceJobs(workerId: string, handler: (job: WorkspaceJob) => Promise<WorkspaceReply>): WorkspaceServer;
  health(): Promise<MessagingHealth>;
  /** Resolves once Redis answers, or after `limitMs`; says which. */
  whenConnected(limitMs?: number): Promise<boolean>;
  /** Close the served queues first. */
  close(): Promise<void>;
}

/**
 * Everything that goes over Redis. It connects in the background and retries for ever; while Redis is away hints are
 * dropped without a wait.
 */
export function createMessaging({
  redisUrl,
  onError = () => undefined,
  silentConsumerMs = SILENT_CONSUMER_MS,
}: MessagingOptions): Messaging {
  const hints = connectRedis(redisUrl, 'hint', onError);
  const listener = connectRedis(redisUrl, 'hint', onError);
  const queues = connectRedis(redisUrl, 'patient', onError);
  const subscriber = new ChannelSubscriber(listener, onError);
  const wires = { publisher: hints, subscriber };
  const turns = new TurnQueue(queues, hints, onError);
  const workspaces = new WorkspaceClient(wires);
  const consumers = new Set<ReturnType<typeof connectRedis>>();
  const consumer = () => {
    const connection = connectRedis(redisUrl, 'patient', onError);
    consumers.add(connection);
    return connection;
  };
  const events = new EventBus(wires);
  const sessionChanges = new SessionChannel(wires);
  return {
    turns,
    events,
    signals: new TurnSignals(wires),
    workspaces,
    access: new AccessChannel(wires),
    presence: new PresenceChannel(wires),
    sessionChanges,
    ahead: new AheadChannel(wires),
    attempts: new AttemptCounter(hints),
    metrics: new MetricsBoard(hints),
    publishCommitted: (sessionId, envelopes) => {
      events.publish(sessionId, envelopes);
      const change = listedChange(sessionId, envelopes);
      if (change) sessionChanges.publish(change);
    },
    serveTurnWakes: (handler, { workerId, yieldToOthers } = {}) =>
      serveTurnWakes(consumer(), subscriber, handler, { workerId, yieldToOthers, silentMs: silentConsumerMs, onError }),
    serveWorkspaceJobs: (workerId, handler) => serveWorkspaceJobs(wires, workerId, handler, onError),
    health: () => checkMessaging(hints),
    whenConnected: async (limitMs = 5_000) => {
      const deadline = performance.now() + limitMs;
      while ([hints, listener, queues].some(({ status }) => status !== 'ready')) {
        if (performance.now() > deadline) return false;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return true;
    },
    close: async () => {
      workspaces.close();
      await turns.close();
      for (const connection of [hints, listener, queues, ...consumers]) connection.disconnect();
    },
  };
}
