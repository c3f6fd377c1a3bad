import {
  accessChangeSchema,
  aheadAskSchema,
  presenceChangeSchema,
  sessionChangeSchema,
  turnSignalSchema,
  type AccessChange,
  type AheadAsk,
  type Envelope,
  type SessionChange,
  type TurnSignal,
  type WorkspaceJob,
  type WorkspaceReply,
} from '@chirality/contracts';
import { AttemptCounter } from './attempt-counter';
import { ChannelSubscriber } from './channel-subscriber';
import { EventBus } from './event-bus';
import { HintChannel, KeyedHintChannel } from './hint-channel';
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
  /** A row of one of a worker's turns has changed. */
  signals: KeyedHintChannel<TurnSignal>;
  workspaces: WorkspaceClient;
  /** Rights changed, so open connections are checked at once. */
  access: HintChannel<AccessChange>;
  /** By session: the rows say who is there. */
  presence: HintChannel<string>;
  /** Lists of sessions are also read again from time to time. */
  sessionChanges: HintChannel<SessionChange>;
  /** Asks a worker for a process ahead of a session's next turn; what is lost costs that turn a cold start. */
  ahead: KeyedHintChannel<AheadAsk>;
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
  const sessionChanges = new HintChannel(wires, 'session-changes', sessionChangeSchema);
  return {
    turns,
    events,
    signals: new KeyedHintChannel(wires, (worker) => `worker:${worker}:signals`, turnSignalSchema),
    workspaces,
    access: new HintChannel(wires, 'access-changes', accessChangeSchema),
    presence: new HintChannel(wires, 'presence', presenceChangeSchema),
    sessionChanges,
    ahead: new KeyedHintChannel(wires, (worker) => `worker:${worker}:ahead`, aheadAskSchema),
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
