import { Inject, Injectable } from '@nestjs/common';
import {
  CLOSE_CODES,
  COMMANDS,
  handshakeFrameSchema,
  PROTOCOL_VERSION,
  type ClientFrame,
  type Command,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { every, LOG, ProblemError, type Logger } from '@chirality/platform';
import type { WebSocket } from 'ws';
import type { Principal } from '../access/principal';
import { readCommandInput } from '../command/command-input';
import { Commands, type CommandAnswer } from '../command/commands';
import { SMALL_BODY_BYTES } from '../core/http/body.middleware';
import { requestContext, withContext } from '../core/http/request-context';
import { parseOrRefuse } from '../core/http/validate';
import { problemOf } from '../core/problem/problem-of';
import { problems } from '../core/problem/problems';
import type { Draining } from '../core/shutdown';
import { LiveSockets } from '../live/live-sockets';
import { AUTH_DEADLINE_MS } from '../live/socket-admission';
import { HandshakeService } from '../reference/handshake.service';
import { FrameIntake, frameTooLarge } from './frame-intake';
import { WebsocketConnection, type ConnectionOwner } from './websocket-connection';
import { WebsocketSessions } from './websocket-sessions';

const PING_MS = 15_000;
/** Commands of one connection that wait for their answers. */
const MAX_RUNNING = 100;
const CUT_MS = 1_500;
/** A client may ask whether the server is there while it still reads a long answer. */
const PONGS_LIMIT_BYTES = 8 * 1024 * 1024;

/** What the upgrade said: the token, as far as it had one, and the session to attach at once. */
export type Opening = {
  /** Proven by its header already. */
  who: Principal | null;
  /** Offered as a subprotocol; proven with the handshake. */
  token: string | null;
  attach: { session: string; after: number } | null;
  /** The token is shown: the connection no longer counts among those that have not. */
  proven: () => void;
};

/** The open WebSockets: their handshakes, and commands, which are those of the protocol's table. */
@Injectable()
export class WebsocketConnections implements ConnectionOwner, Draining {
  private readonly openings = new Map<WebsocketConnection, Opening>();
  private readonly stopPinging: () => void;

  constructor(
    private readonly sockets: LiveSockets,
    private readonly intake: FrameIntake,
    private readonly commands: Commands,
    private readonly sessions: WebsocketSessions,
    private readonly handshakes: HandshakeService,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.stopPinging = every(PING_MS, () => this.openings.forEach((_, connection) => connection.lookAlive()), {
      background: true,
    });
  }

  get count(): number {
    return this.openings.size;
  }

  open(socket: WebSocket, opening: Opening): void {
    const connection = new WebsocketConnection(socket, this);
    this.openings.set(connection, opening);
    const deadline = setTimeout(() => {
      if (connection.phase === 'new') connection.close(CLOSE_CODES.noHandshake, 'no handshake came');
    }, AUTH_DEADLINE_MS).unref();
    socket.once('close', () => clearTimeout(deadline));
  }

  message(connection: WebsocketConnection, data: Buffer, isBinary: boolean): void {
    // One after the other, as they came: a command may follow the handshake at once.
    connection.reading = connection.reading
      .then(() => this.intake.read(connection, data, isBinary))
      .then((frame) => frame && this.frame(connection, frame, data.byteLength));
  }

  pressed(connection: WebsocketConnection): void {
    this.intake.hasRoom(connection, PONGS_LIMIT_BYTES);
  }

  private frame(connection: WebsocketConnection, frame: ClientFrame, bytes: number): void {
    if (connection.phase === 'closed') return;
    if (frame.frame === 'handshake') {
      connection.handshake = connection.handshake.then(() => this.shake(connection, frame));
    } else if (frame.frame === 'command') {
      connection.wellFormed();
      void this.answer(connection, frame, bytes);
    } else if (connection.phase === 'new') connection.fault(handshakeRequired(), frame.id);
    else
      connection.fault(
        new ProblemError('VALIDATION_FAILED', 'A client sends frames of the kinds handshake and command.'),
        frame.id,
      );
  }

  gone(connection: WebsocketConnection): void {
    this.openings.get(connection)?.proven();
    this.openings.delete(connection);
    this.sessions.closed(connection);
    if (connection.isProven) this.sockets.closed(connection);
  }

  /** Asks every client to connect again, and cuts those that do not leave. */
  async drain(): Promise<void> {
    this.stopPinging();
    const connections = [...this.openings.keys()];
    for (const connection of connections) {
      this.sessions.closed(connection);
      connection.close(CLOSE_CODES.restarting, 'the server restarts');
    }
    setTimeout(() => connections.forEach(({ raw }) => raw.terminate()), CUT_MS).unref();
  }

  private async shake(connection: WebsocketConnection, frame: ClientFrame): Promise<void> {
    const opening = this.openings.get(connection);
    if (!opening || connection.phase === 'closed') return;
    const isFirst = !connection.isProven;
    try {
      const { frame: _, id: _id, body, ...beside } = frame;
      const { protocolVersion, token, clientId } = parseOrRefuse(
        handshakeFrameSchema,
        { ...beside, ...body },
        'handshake',
      );
      if (isFirst) {
        requireVersion(protocolVersion);
        const who =
          opening.who ?? (await this.sockets.authenticate(token ?? opening.token, clientId ?? newId('client')));
        if (connection.destroyed) return;
        this.admit(connection, clientId === undefined ? who : { ...who, clientId }, opening);
      } else if (token !== undefined) await this.sockets.refresh(connection, token);
      connection.wellFormed();
      await this.welcome(connection, frame);
      if (isFirst && opening.attach) await this.attachAtOnce(connection, opening.attach);
    } catch (error) {
      const problem = this.problemFor(error);
      if (!isFirst) return connection.fault(problem, frame.id);
      connection.refuse(problem, frame.id);
      if (problem.code === 'HANDSHAKE_VERSION_MISMATCH')
        connection.close(CLOSE_CODES.versionMismatch, `this server speaks ${PROTOCOL_VERSION}`);
      else connection.close(CLOSE_CODES.signedOut, problem.code);
    }
  }

  private admit(connection: WebsocketConnection, who: Principal, opening: Opening): void {
    connection.who = who;
    connection.phase = 'open';
    opening.proven();
    connection.takeLongFrames();
    this.sockets.opened(connection);
    this.sessions.opened(connection);
  }

  private async welcome(connection: WebsocketConnection, { id }: ClientFrame): Promise<void> {
    const { who } = connection;
    connection.send({
      frame: 'handshake',
      ...(id === undefined ? {} : { id }),
      body: {
        ...(await this.handshakes.describe()),
        clientId: who.clientId,
        userId: who.user.id,
        identityClass: who.identityClass,
        expiresAt: new Date(who.expiresAtMs).toISOString(),
      },
    });
  }

  private async attachAtOnce(
    connection: WebsocketConnection,
    { session, after }: { session: string; after: number },
  ): Promise<void> {
    try {
      const { answer, start } = await this.attach(connection, { session, after });
      connection.send({ frame: 'answer', ...answer });
      start();
    } catch (error) {
      connection.refuse(this.problemFor(error));
    }
  }

  private async answer(connection: WebsocketConnection, frame: ClientFrame, bytes: number): Promise<void> {
    const id = frame.id === undefined ? {} : { id: frame.id };
    const context = requestContext({});
    connection.running += 1;
    try {
      await connection.handshake;
      if (!connection.isProven) throw handshakeRequired();
      if (connection.running > MAX_RUNNING) throw problems.rateLimited(1_000);
      if (!this.intake.hasRoom(connection)) return;
      const { who } = connection;
      if (who.expiresAtMs <= Date.now()) throw problems.tokenExpired();
      const command = commandOf(frame, bytes);
      await withContext({ ...context, userId: who.user.id }, async () => {
        const { answer, start } = await this.act(connection, command, frame.body);
        connection.send({ frame: 'answer', ...id, ...answer });
        start?.();
      });
    } catch (error) {
      connection.refuse(this.problemFor(error, context), frame.id);
    } finally {
      connection.running -= 1;
    }
  }

  private async act(connection: WebsocketConnection, command: Command, body: object) {
    if (command === 'session:attach') return this.attach(connection, body);
    if (command === 'session:detach') return this.detach(connection, body);
    const { body: answered, warnings } = await this.commands.run(connection.who, command, body, connection);
    return { answer: answerOf({ body: answered, warnings }), start: undefined };
  }

  private attach(connection: WebsocketConnection, body: object) {
    return this.commands.admitted(connection.who, 'session:attach', body, async () => {
      const { input, warnings } = readCommandInput('session:attach', body);
      const { lastEventId, start } = await this.sessions.attach(connection, input.session, input.after);
      return { answer: answerOf({ body: { session: input.session, lastEventId }, warnings }), start };
    });
  }

  private detach(connection: WebsocketConnection, body: object) {
    return this.commands.admitted(connection.who, 'session:detach', body, async () => {
      const { input, warnings } = readCommandInput('session:detach', body);
      this.sessions.detach(connection, input.session);
      return { answer: answerOf({ body: {}, warnings }), start: undefined };
    });
  }

  private problemFor(error: unknown, context: object = {}): ProblemError {
    const { problem, expected } = problemOf(error);
    if (!expected) this.log.error({ err: error, ...context }, 'websocket.frame_failed');
    return problem;
  }
}

function answerOf({ body, warnings }: CommandAnswer) {
  return { body, ...(warnings.length > 0 ? { warnings } : {}) };
}

function handshakeRequired(): ProblemError {
  return new ProblemError(
    'HANDSHAKE_REQUIRED',
    `The first frame is a handshake: {"frame":"handshake","body":{"protocolVersion":"${PROTOCOL_VERSION}"}}. Send it, then the command again.`,
  );
}

/** Within one first number the protocol only grows, so that older and newer clients meet. */
function requireVersion(version: string | undefined): void {
  const major = (text: string) => /^(\d+)(\.\d+)?$/.exec(text)?.[1];
  if (version !== undefined && major(version) === major(PROTOCOL_VERSION)) return;
  throw new ProblemError(
    'HANDSHAKE_VERSION_MISMATCH',
    `This server speaks protocol ${PROTOCOL_VERSION}. Name a protocolVersion with the same first number, or update the client.`,
    { protocolVersion: PROTOCOL_VERSION },
  );
}

function commandOf({ command }: ClientFrame, bytes: number): Command {
  if (!(COMMANDS as readonly (string | undefined)[]).includes(command))
    throw new ProblemError('VALIDATION_FAILED', 'There is no such command. The handshake lists the ones there are.');
  if (command !== 'turn:send' && bytes > SMALL_BODY_BYTES) throw frameTooLarge(command as Command);
  return command as Command;
}
