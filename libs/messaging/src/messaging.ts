import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { AccessBus } from './access-bus';
import { AheadBus } from './ahead-bus';
import { AttemptCounter } from './attempt-counter';
import { ChannelSubscriber } from './channel-subscriber';
import { EventBus } from './event-bus';
import { checkMessaging, type MessagingHealth } from './messaging-health';
import { connectRedis } from './redis-connection';
import { MetricsBoard } from './metrics-board';
import { SILENT_CONSUMER_MS } from './queue-catalog';
import { PresenceBus } from './presence-bus';
import { SessionChangeBus } from './session-change-bus';
import { SignalBus } from './signal-bus';
import { TurnQueue } from './turn-queue';
import { serveTurnWakes, type TurnWakes } from './turn-wakes';
import { WorkspaceClient } from './workspace-client';
import { serveWorkspaceJobs } from './workspace-server';

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
  signals: SignalBus;
  workspaces: WorkspaceClient;
  access: AccessBus;
  presence: PresenceBus;
  sessionChanges: SessionChangeBus;
  ahead: AheadBus;
  attempts: AttemptCounter;
  metrics: MetricsBoard;
  serveTurnWakes(
    handler: (turnId: string, isShared: boolean) => Promise<void>,
    options?: { workerId?: string; yieldToOthers?: () => Promise<void> },
  ): TurnWakes;
  serveWorkspaceJobs(
    workerId: string,
    handler: (job: WorkspaceJob) => Promise<WorkspaceReply>,
  ): { close(): Promise<void> };
  health(): Promise<MessagingHealth>;
  /** Resolves once Redis answers, or after `limitMs`; says which. */
  whenConnected(limitMs?: number): Promise<boolean>;
  /** Close the served queues first. */
  close(): Promise<void>;
}

/** Everything that goes over Redis. It connects by itself and again for ever; while Redis is away hints are dropped without a wait. */
export function createMessaging({
  redisUrl,
  onError = () => undefined,
  silentConsumerMs = SILENT_CONSUMER_MS,
}: MessagingOptions): Messaging {
  const hints = connectRedis(redisUrl, 'hint', onError);
  const listener = connectRedis(redisUrl, 'hint', onError);
  const queues = connectRedis(redisUrl, 'patient', onError);
  const subscriber = new ChannelSubscriber(listener, onError);
  const turns = new TurnQueue(queues, hints, onError);
  const workspaces = new WorkspaceClient(queues, subscriber, onError);
  const consumers = new Set<ReturnType<typeof connectRedis>>();
  const consumer = () => {
    const connection = connectRedis(redisUrl, 'patient', onError);
    consumers.add(connection);
    return connection;
  };
  return {
    turns,
    events: new EventBus(hints, subscriber),
    signals: new SignalBus(hints, subscriber),
    workspaces,
    access: new AccessBus(hints, subscriber),
    presence: new PresenceBus(hints, subscriber),
    sessionChanges: new SessionChangeBus(hints, subscriber),
    ahead: new AheadBus(hints, subscriber),
    attempts: new AttemptCounter(hints),
    metrics: new MetricsBoard(hints),
    serveTurnWakes: (handler, { workerId, yieldToOthers } = {}) =>
      serveTurnWakes(consumer(), subscriber, handler, { workerId, yieldToOthers, silentMs: silentConsumerMs, onError }),
    serveWorkspaceJobs: (workerId, handler) => serveWorkspaceJobs(consumer(), hints, workerId, handler, onError),
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
      await Promise.all([turns.close(), workspaces.close()]);
      for (const connection of [hints, listener, queues, ...consumers]) connection.disconnect();
    },
  };
}
