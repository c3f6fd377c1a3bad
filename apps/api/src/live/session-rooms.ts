import { EVENTS_PAGE, type Envelope } from '@chirality/contracts';
import { metrics } from '@chirality/platform';
import type { FeedLog, FeedRegistry } from '../event/feed-registry';
import { followFeed, pagesBySize, type Follower } from '../event/follow-feed';
import type { SessionFeed } from '../event/session-feed';
import { PRESSURE_LIMIT_BYTES, pressureOf, whenRelieved } from './socket-pressure';
import { roomOf, type LiveServer, type LiveSocket } from './socket-types';

type Room = { feed: SessionFeed; members: Set<Attachment>; unsubscribe: () => void; checkedAtMs: number };

const PRESSURE_CHECK_MS = 50;

/** One socket's place in one session: first behind, reading the log; then live, in the room. */
export class Attachment implements Follower {
  closed = false;
  live = false;

  constructor(
    readonly socket: LiveSocket,
    readonly sessionId: string,
    /** The last id that was sent to this socket while it caught up. */
    public cursor: number,
  ) {}

  async write(events: Envelope[]): Promise<void> {
    for (const part of pagesBySize(events)) {
      const through = part[part.length - 1]?.id ?? this.cursor;
      this.socket.emit('events', { session: this.sessionId, events: part, through });
      metrics.eventsDelivered.inc({ transport: 'socket' }, part.length);
      this.cursor = through;
      await whenRelieved(this.socket);
      if (!this.socket.connected) this.closed = true;
    }
  }

  goLive(): void {
    this.live = true;
    void this.socket.join(roomOf(this.sessionId));
  }
}

/**
 * The sessions that sockets of this process watch. An event is written once per session to the room, however many are
 * in it; who is behind catches up alone and joins when it has seen everything.
 */
export class SessionRooms {
  private readonly rooms = new Map<string, Room>();

  constructor(
    private readonly server: LiveServer,
    private readonly feeds: FeedRegistry,
    private readonly log: FeedLog,
    private readonly onFailure: (error: unknown, sessionId: string) => void,
  ) {}

  /**
   * Takes the place; nothing is sent before `start`. The room then knows at least what the log held when this was
   * called.
   */
  async attach(
    socket: LiveSocket,
    sessionId: string,
    after: number,
  ): Promise<{ attachment: Attachment; lastEventId: number }> {
    const feed = await this.feeds.acquire(sessionId);
    const attachment = new Attachment(socket, sessionId, after);
    this.roomFor(feed).members.add(attachment);
    try {
      const last = (await this.log.lastEventIds([sessionId])).get(sessionId) ?? 0;
      if (last > feed.through) await feed.catchUp();
      return { attachment, lastEventId: feed.through };
    } catch (error) {
      this.detach(attachment);
      throw error;
    }
  }

  /** Sends what the socket has not seen, then live events. Asks it to attach again when the log cannot be read. */
  start(attachment: Attachment): void {
    const room = this.rooms.get(attachment.sessionId);
    if (!room || attachment.closed) return;
    followFeed(room.feed, this.log, attachment.cursor, attachment).catch((error: unknown) => {
      this.onFailure(error, attachment.sessionId);
      if (!attachment.closed) this.sendAway(attachment, attachment.cursor);
    });
  }

  detach(attachment: Attachment): void {
    attachment.closed = true;
    void attachment.socket.leave(roomOf(attachment.sessionId));
    const room = this.rooms.get(attachment.sessionId);
    if (!room?.members.delete(attachment)) return;
    this.feeds.release(attachment.sessionId);
    if (room.members.size > 0) return;
    room.unsubscribe();
    this.rooms.delete(attachment.sessionId);
  }

  private roomFor(feed: SessionFeed): Room {
    const existing = this.rooms.get(feed.sessionId);
    if (existing?.feed === feed) return existing;
    const room: Room = { feed, members: new Set(), checkedAtMs: 0, unsubscribe: () => undefined };
    room.unsubscribe = feed.subscribe((events) => this.broadcast(feed.sessionId, room, events));
    this.rooms.set(feed.sessionId, room);
    return room;
  }

  private broadcast(sessionId: string, room: Room, events: Envelope[]): void {
    for (let from = 0; from < events.length; from += EVENTS_PAGE) {
      for (const part of pagesBySize(events.slice(from, from + EVENTS_PAGE))) {
        const through = part[part.length - 1]?.id ?? room.feed.through;
        this.server.to(roomOf(sessionId)).emit('events', { session: sessionId, events: part, through });
      }
    }
    metrics.eventsDelivered.inc({ transport: 'socket' }, events.length * room.members.size);
    this.relieveSlowMembers(room);
  }

  private relieveSlowMembers(room: Room): void {
    const now = performance.now();
    if (now - room.checkedAtMs < PRESSURE_CHECK_MS) return;
    room.checkedAtMs = now;
    for (const member of [...room.members]) {
      if (member.live && pressureOf(member.socket) > PRESSURE_LIMIT_BYTES) this.sendAway(member, room.feed.through);
    }
  }

  private sendAway(member: Attachment, after: number): void {
    this.detach(member);
    metrics.clientResyncs.inc();
    member.socket.emit('resync', { session: member.sessionId, after });
  }
}
