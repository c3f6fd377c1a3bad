import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { permissionAnswerSchema } from '@chirality/contracts';
import { EventRepository, SessionRepository } from '@chirality/database';
import { mayCommand, newId } from '@chirality/domain';
import { SessionChannel } from '@chirality/messaging';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import { z } from 'zod';
import { AccessWatch } from '../access/access-watch';
import { requireCommand, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { requestContext, withContext } from '../core/http/request-context';
import { parseOrRefuse } from '../core/http/validate';
import { problemOf } from '../core/problem/problem-of';
import { problemDocument, problems } from '../core/problem/problems';
import { cursorAhead } from '../event/events.service';
import { FeedRegistry } from '../event/feed-registry';
import { PermissionsService } from '../permission/permissions.service';
import { PrewarmRequests } from '../session/prewarm-requests';
import { connectError, LiveSockets, type OpenSocket } from './live-sockets';
import { MessageLimit } from './message-limit';
import { LivePresence } from './live-presence';
import { SessionChanges } from './session-changes';
import { SessionRooms, type Attachment } from './session-rooms';
import { UnprovenConnections } from './socket-admission';
import { presenceRoomOf, type LiveServer, type LiveSocket } from './socket-types';

const sessionId = z.string().max(100);
const attachSchema = z.object({ session: sessionId, after: z.number().int().nonnegative().default(0) });
const detachSchema = z.object({ session: sessionId });
const typingSchema = z.object({ session: sessionId, typing: z.boolean().default(true) });
const refreshSchema = z.object({ token: z.string().max(8_192) });

export const MAX_SESSIONS_PER_SOCKET = 50;
const CLIENT_ID = /^[\w.:-]{1,100}$/;

type Place = { attachment: Attachment; presenceId: string; unwatch: () => void };

/** What connected clients ask for. Every answer is a value or a problem in the acknowledgement; nothing here throws. */
@Injectable()
export class LiveSessions {
  // Set by `open`, before which no connection is accepted.
  private rooms!: SessionRooms;
  private changes!: SessionChanges;
  private readonly places = new Map<string, Map<string, Place>>();

  constructor(
    private readonly sockets: LiveSockets,
    private readonly messages: MessageLimit,
    private readonly sessions: SessionAccess,
    private readonly permissions: PermissionsService,
    private readonly ahead: PrewarmRequests,
    private readonly access: AccessWatch,
    private readonly feeds: FeedRegistry,
    private readonly source: EventRepository,
    private readonly presence: LivePresence,
    private readonly unproven: UnprovenConnections,
    private readonly listed: SessionRepository,
    @Inject(LOG) private readonly log: Logger,
    private readonly sessionHints: SessionChannel,
  ) {}

  open(server: LiveServer): void {
    this.rooms = new SessionRooms(server, this.feeds, this.source, (error, session) =>
      this.log.warn({ err: error, sessionId: session }, 'live.events_not_read'),
    );
    this.presence.onChange((session, people) =>
      server.to(presenceRoomOf(session)).emit('presence', { session, people }),
    );
    this.changes = new SessionChanges(
      (ids) => this.listed.findAll(ids),
      () =>
        [...server.sockets.sockets.values()]
          .filter(({ data }) => mayRead(data.who))
          .map((socket) => ({
            who: socket.data.who,
            send: (message) => socket.emit('sessions', message),
          })),
      (error) => this.log.warn({ err: error }, 'live.lists_not_read'),
    );
    this.sessionHints.subscribe((change) => this.changes.note(change));
    server.engine.on(
      'connection',
      (connection: {
        request: IncomingMessage;
        once(event: string, act: () => void): void;
        chiralityProven?: () => void;
      }) => {
        const left = this.unproven.enter(connection.request);
        connection.chiralityProven = left;
        connection.once('close', left);
      },
    );
    server.use((socket, next) => {
      this.authenticate(socket).then(
        () => next(),
        (error: unknown) => {
          const { problem, expected } = problemOf(error);
          if (!expected) this.log.error({ err: error }, 'live.connection_not_checked');
          next(connectError(problem));
        },
      );
    });
  }

  /** Proves the token of the handshake; rejects with the problem, which the client sees. */
  private async authenticate(socket: LiveSocket): Promise<void> {
    const { token, clientId } = socket.handshake.auth as { token?: unknown; clientId?: unknown };
    socket.data.clientId = typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : newId('client');
    socket.data.who = await this.sockets.authenticate(token, socket.data.clientId);
  }

  connected(socket: LiveSocket): void {
    (socket.conn as { chiralityProven?: () => void }).chiralityProven?.();
    this.places.set(socket.id, new Map());
    this.sockets.opened(openSocketOf(socket));
    this.arrive(socket, socket.id, null);
  }

  disconnected(socket: LiveSocket): void {
    for (const id of [...(this.places.get(socket.id)?.keys() ?? [])]) this.leave(socket, id);
    this.places.delete(socket.id);
    this.presence.leave(socket.id);
    this.sockets.closed(openSocketOf(socket));
  }

  attach(socket: LiveSocket, request: unknown, ack: unknown): Promise<void> {
    return this.answer(socket, ack, async () => {
      const { session: id, after } = parseOrRefuse(attachSchema, request, 'message');
      requireCommand(socket.data.who, 'session:attach');
      requireCommand(socket.data.who, 'events:read');
      const session = await this.sessions.forReading(socket.data.who, id);
      this.leave(socket, id);
      const { attachment, lastEventId } = await this.rooms.attach(socket, id, after);
      if (after > lastEventId) {
        this.rooms.detach(attachment);
        throw cursorAhead(lastEventId);
      }
      this.settle(socket, attachment, session.id);
      if (socket.data.who.identityClass === 'human') this.ahead.consider(socket.data.who, session.id);
      return { value: { lastEventId }, afterwards: () => this.rooms.start(attachment) };
    });
  }

  detach(socket: LiveSocket, request: unknown, ack: unknown): Promise<void> {
    return this.answer(socket, ack, async () => {
      this.leave(socket, parseOrRefuse(detachSchema, request, 'message').session);
      return { value: {} };
    });
  }

  type(socket: LiveSocket, request: unknown, ack: unknown): Promise<void> {
    return this.answer(socket, ack, async () => {
      const { session, typing } = parseOrRefuse(typingSchema, request, 'message');
      const place = this.places.get(socket.id)?.get(session);
      if (!place) throw problems.sessionNotFound();
      this.presence.type(place.presenceId, typing);
      if (typing && socket.data.who.identityClass === 'human') this.ahead.consider(socket.data.who, session);
      return { value: {} };
    });
  }

  /** An answer to a permission request; the session need not be attached. */
  answerPermission(socket: LiveSocket, request: unknown, ack: unknown): Promise<void> {
    return this.answer(socket, ack, async () => {
      const { session, permissionId, ...decision } = parseOrRefuse(permissionAnswerSchema, request, 'message');
      if (socket.data.who.identityClass === 'human') requireCommand(socket.data.who, 'permission:answer');
      return { value: { permission: await this.permissions.answer(socket.data.who, session, permissionId, decision) } };
    });
  }

  /** Also in the minute after the end of a token of a program, in which nothing else is taken. */
  refresh(socket: LiveSocket, request: unknown, ack: unknown): Promise<void> {
    return this.answer(
      socket,
      ack,
      async () => ({
        value: await this.sockets.refresh(openSocketOf(socket), parseOrRefuse(refreshSchema, request, 'message').token),
      }),
      { afterExpiry: true },
    );
  }

  /** Removes all presence; the sockets are closed with the server. */
  async close(): Promise<void> {
    this.changes?.close();
    await this.presence.close();
  }

  /** The socket may have gone while the session was opened; then nothing is kept of it. */
  private settle(socket: LiveSocket, attachment: Attachment, sessionId: string): void {
    const places = this.places.get(socket.id);
    if (!places || !socket.connected) return this.rooms.detach(attachment);
    if (places.size >= MAX_SESSIONS_PER_SOCKET) {
      this.rooms.detach(attachment);
      throw new ProblemError(
        'RATE_LIMITED',
        `One connection watches at most ${MAX_SESSIONS_PER_SOCKET} sessions. Detach from some.`,
      );
    }
    this.leave(socket, sessionId);
    const presenceId = newId('client');
    const unwatch = this.access.watch({
      get who() {
        return socket.data.who;
      },
      sessionId,
      still: (who) => this.sessions.rightsIn(who, sessionId),
      renew: () => undefined,
      end: () => this.closeFor(socket, sessionId),
    });
    places.set(sessionId, { attachment, presenceId, unwatch });
    void socket.join(presenceRoomOf(sessionId));
    this.arrive(socket, presenceId, sessionId);
  }

  private arrive(socket: LiveSocket, clientId: string, sessionId: string | null): void {
    const { user, identityClass } = socket.data.who;
    this.presence.arrive({
      clientId,
      sessionId,
      userId: user.id,
      userName: user.name,
      human: identityClass === 'human',
    });
  }

  private leave(socket: LiveSocket, sessionId: string): void {
    const places = this.places.get(socket.id);
    const place = places?.get(sessionId);
    if (!places || !place) return;
    places.delete(sessionId);
    place.unwatch();
    this.rooms.detach(place.attachment);
    void socket.leave(presenceRoomOf(sessionId));
    this.presence.leave(place.presenceId);
  }

  private closeFor(socket: LiveSocket, session: string): void {
    this.leave(socket, session);
    socket.emit('session:closed', { session, problem: problemDocument(problems.sessionNotFound(), newId('request')) });
  }

  private async answer(
    socket: LiveSocket,
    ack: unknown,
    act: () => Promise<{ value: unknown; afterwards?: () => void }>,
    { afterExpiry = false } = {},
  ): Promise<void> {
    const reply =
      typeof ack === 'function' ? (value: unknown) => (ack as (value: unknown) => void)(value) : () => undefined;
    const context = requestContext({});
    try {
      await this.messages.take(socket.id);
      if (!afterExpiry && socket.data.who.expiresAtMs <= Date.now()) throw problems.tokenExpired();
      const { value, afterwards } = await withContext({ ...context, userId: socket.data.who.user.id }, act);
      reply(value);
      afterwards?.();
    } catch (error) {
      const { problem, expected } = problemOf(error);
      if (!expected) this.log.error({ err: error, ...context }, 'live.message_failed');
      reply(problemDocument(problem, context.requestId));
    }
  }
}

/** The same connection at every call: what is kept of it is found by its id. */
function openSocketOf(socket: LiveSocket): OpenSocket {
  return {
    id: socket.id,
    transport: 'socket',
    get who() {
      return socket.data.who;
    },
    set who(who) {
      socket.data.who = who;
    },
    announceExpiry: (expiresAtMs) =>
      void socket.emit('token:expiring', { expiresAt: new Date(expiresAtMs).toISOString() }),
    end: () => void socket.disconnect(true),
  };
}

/** A token that may not read events sees no lists of sessions either. */
function mayRead({ token }: Principal): boolean {
  return token === undefined || mayCommand(token.claims, 'events:read');
}
