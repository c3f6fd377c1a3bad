import { Inject, Injectable } from '@nestjs/common';
import { CLOSE_CODES } from '@chirality/contracts';
import { EventRepository } from '@chirality/database';
import { newId } from '@chirality/domain';
import { LOG, metrics, ProblemError, type Logger } from '@chirality/platform';
import { AccessWatch } from '../access/access-watch';
import { requireCommand } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problemDocument, problems } from '../core/problem/problems';
import { cursorAhead } from '../event/events.service';
import { FeedRegistry } from '../event/feed-registry';
import { followFeed } from '../event/follow-feed';
import { LivePresence } from '../live/live-presence';
import { MAX_SESSIONS_PER_SOCKET } from '../live/live-sessions';
import { PrewarmRequests } from '../session/prewarm-requests';
import { WebsocketAttachment } from './websocket-attachment';
import type { WebsocketConnection } from './websocket-connection';

type Place = { attachment: WebsocketAttachment; presenceId: string; leave: () => void };
type Attached = { lastEventId: number; start: () => void };

/** The sessions that connections follow, and who is present by them. */
@Injectable()
export class WebsocketSessions {
  private readonly places = new Map<WebsocketConnection, Map<string, Place>>();

  constructor(
    private readonly sessions: SessionAccess,
    private readonly access: AccessWatch,
    private readonly feeds: FeedRegistry,
    private readonly events: EventRepository,
    private readonly presence: LivePresence,
    private readonly ahead: PrewarmRequests,
    @Inject(LOG) private readonly log: Logger,
  ) {
    presence.onChange((session, people) => {
      for (const [connection, places] of this.places)
        if (places.has(session)) connection.send({ frame: 'notice', kind: 'presence', body: { session, people } });
    });
  }

  opened(connection: WebsocketConnection): void {
    this.places.set(connection, new Map());
    this.arrive(connection, connection.id, null);
  }

  closed(connection: WebsocketConnection): void {
    for (const session of [...(this.places.get(connection)?.keys() ?? [])]) this.detach(connection, session);
    if (this.places.delete(connection)) this.presence.leave(connection.id);
  }

  /** Takes the place; nothing is sent before `start`, so that the answer comes first. */
  async attach(connection: WebsocketConnection, sessionId: string, after: number): Promise<Attached> {
    const { who } = connection;
    requireCommand(who, 'events:read');
    const { id } = await this.sessions.forReading(who, sessionId);
    const feed = await this.feeds.acquire(id);
    try {
      const lastEventId = await this.events.lastEventId(id);
      if (lastEventId > feed.through) await feed.catchUp();
      if (after > lastEventId) throw cursorAhead(lastEventId);
      const attachment = new WebsocketAttachment(connection.raw, feed, () => this.sendAway(connection));
      this.settle(connection, id, attachment);
      if (who.identityClass === 'human') this.ahead.consider(who, id);
      return {
        lastEventId: feed.through,
        start: () =>
          void followFeed(feed, this.events, after, attachment).catch((error: unknown) => {
            this.log.warn({ err: error, sessionId: id }, 'websocket.events_not_read');
            connection.close(CLOSE_CODES.restarting, 'events cannot be read just now');
          }),
      };
    } catch (error) {
      this.feeds.release(id);
      throw error;
    }
  }

  detach(connection: WebsocketConnection, sessionId: string): void {
    const places = this.places.get(connection);
    const place = places?.get(sessionId);
    if (!places || !place) return;
    places.delete(sessionId);
    place.attachment.close();
    place.leave();
    this.feeds.release(sessionId);
    this.presence.leave(place.presenceId);
  }

  private settle(connection: WebsocketConnection, sessionId: string, attachment: WebsocketAttachment): void {
    const places = this.places.get(connection);
    // The client may have gone while its session was opened.
    if (!places || connection.destroyed) throw problems.sessionNotFound();
    if (!places.has(sessionId) && places.size >= MAX_SESSIONS_PER_SOCKET)
      throw new ProblemError(
        'RATE_LIMITED',
        `One connection watches at most ${MAX_SESSIONS_PER_SOCKET} sessions. Detach from some.`,
      );
    this.detach(connection, sessionId);
    const leave = this.access.watch({
      get who() {
        return connection.who;
      },
      sessionId,
      still: (who) => this.sessions.rightsIn(who, sessionId),
      renew: () => undefined,
      end: () => this.closeFor(connection, sessionId),
    });
    const presenceId = newId('client');
    places.set(sessionId, { attachment, presenceId, leave });
    this.arrive(connection, presenceId, sessionId);
  }

  private arrive({ who }: WebsocketConnection, clientId: string, sessionId: string | null): void {
    const { user, identityClass } = who;
    const human = identityClass === 'human';
    this.presence.arrive({ clientId, sessionId, userId: user.id, userName: user.name, human });
  }

  private closeFor(connection: WebsocketConnection, session: string): void {
    this.detach(connection, session);
    const problem = problemDocument(problems.sessionNotFound(), newId('request'));
    connection.send({ frame: 'notice', kind: 'session:closed', body: { session, problem } });
  }

  /** What waits for a client that does not read would fill the memory of all. */
  private sendAway(connection: WebsocketConnection): void {
    metrics.clientResyncs.inc();
    this.closed(connection);
    connection.close(CLOSE_CODES.tooSlow, 'connect again and resume after the last event');
  }
}
