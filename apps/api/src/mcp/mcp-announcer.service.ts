import { Inject, Injectable } from '@nestjs/common';
import { McpSessionRepository, type McpSession, type McpSubscription } from '@chirality/database';
import { SessionChannel } from '@chirality/messaging';
import { every, LOG, type Logger } from '@chirality/platform';
import { AccessWatch } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problemOf } from '../core/problem/problem-of';
import { SessionReaders } from '../event/session-readers';
import { Announcements } from './stream/announcements';
import type { MessageStream } from './stream/message-stream';
import { resumeIdOf, type ResumePoint } from './stream/resume-id';

type SessionPoint = ResumePoint & { of: 'session' };
type Listener = { who: Principal; mcpSessionId: string; announcements: Announcements; stream: MessageStream };

/** How soon a stream hears of what was subscribed to at another node, and of changes in the list of sessions. */
const LOOK_MS = 1_000;

/** Announces changes on the streams that are open. What each of them asks the database is asked once for all. */
@Injectable()
export class McpAnnouncer {
  private readonly listeners = new Set<Listener>();
  /** Sessions that changed since the last look. */
  private readonly changed = new Set<string>();
  private stop: (() => void) | null = null;

  constructor(
    private readonly records: McpSessionRepository,
    private readonly access: SessionAccess,
    private readonly readers: SessionReaders,
    private readonly watch: AccessWatch,
    private readonly channel: SessionChannel,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** For as long as the client reads, the session is there and its token is good. */
  async announce(
    who: Principal,
    session: McpSession,
    point: SessionPoint | null,
    stream: MessageStream,
  ): Promise<void> {
    const listener: Listener = {
      who,
      mcpSessionId: session.id,
      stream,
      announcements: new Announcements({
        read: async (subscription, signal, onEvents) => {
          await this.access.forReading(listener.who, subscription.sessionId);
          return this.readers.read({
            who: listener.who,
            sessionId: subscription.sessionId,
            after: sinceOf(subscription, point),
            signal,
            onEvents: (events) => onEvents(events.at(-1)?.id ?? 0),
          });
        },
        send: (uri, at) =>
          stream.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }, resumeIdOf(at)),
      }),
    };
    const unwatch = this.watch.watch({
      who,
      sessionId: null,
      still: () => Promise.resolve({ mayAnswer: false }),
      renew: (now) => void (listener.who = now),
      end: () => stream.end(),
    });
    this.begin(listener);
    try {
      await this.look([listener]);
      await leftOf(stream);
    } finally {
      unwatch();
      listener.announcements.close();
      this.end(listener);
    }
  }

  private begin(listener: Listener): void {
    this.listeners.add(listener);
    if (this.stop) return;
    const stopLooking = every(LOOK_MS, () => this.lookAtAll(), { background: true, onError: (e) => this.failed(e) });
    const unsubscribe = this.channel.subscribe(({ sessionId }) => {
      if (this.listsWatched().length > 0) this.changed.add(sessionId);
    });
    this.stop = () => {
      stopLooking();
      unsubscribe();
    };
  }

  private end(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.stop?.();
    this.stop = null;
    this.changed.clear();
  }

  private async lookAtAll(): Promise<void> {
    await this.look([...this.listeners]);
    await this.sayOfLists();
  }

  private async look(listeners: readonly Listener[]): Promise<void> {
    const found = await this.records.subscriptionsOf(listeners.map(({ mcpSessionId }) => mcpSessionId));
    for (const { mcpSessionId, announcements, stream } of listeners) {
      const subscriptions = found.get(mcpSessionId);
      if (subscriptions === undefined) stream.end();
      else if (!stream.left.aborted) announcements.keep(subscriptions);
    }
  }

  private async sayOfLists(): Promise<void> {
    const sessionIds = [...this.changed];
    if (sessionIds.length === 0) return;
    this.changed.clear();
    const isSeenBy = await this.access.seenAmong(sessionIds).catch((error: unknown) => {
      for (const id of sessionIds) this.changed.add(id);
      throw error;
    });
    for (const { who, announcements } of this.listsWatched()) if (isSeenBy(who)) announcements.noteList();
  }

  private listsWatched(): Listener[] {
    return [...this.listeners].filter(({ announcements }) => announcements.watchesList);
  }

  private failed(error: unknown): void {
    if (!problemOf(error).expected) this.log.warn({ err: error }, 'mcp.subscriptions_not_read');
  }
}

function leftOf({ left }: MessageStream): Promise<void> {
  return new Promise((resolve) => {
    if (left.aborted) resolve();
    else left.addEventListener('abort', () => resolve(), { once: true });
  });
}

function sinceOf(
  { sessionId, sinceEventId }: McpSubscription & { sessionId: string },
  point: SessionPoint | null,
): number {
  return point?.sessionId === sessionId ? Math.max(point.after, sinceEventId) : sinceEventId;
}
