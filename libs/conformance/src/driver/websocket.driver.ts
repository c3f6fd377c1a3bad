import type { IncomingMessage } from 'node:http';
import type { Envelope } from '@chirality/contracts';
import { WebSocket } from 'ws';
import type { Decision, Driver, Following, Target, TurnOutcome } from './driver';
import { EventLog, LIMIT_MS } from './event-log';
import { Refusal } from './refusal';

type Frame = { frame: string; id?: string; body: unknown };
type Pending = { resolve: (body: unknown) => void; reject: (error: Error) => void };

const PROTOCOL_VERSION = '1.0';

/** A plain WebSocket for everything that it has; a turn's end is read from its events. */
export class WebsocketDriver implements Driver {
  readonly transport = 'websocket';
  readonly answersAsPerson = true;
  private readonly connections = new Set<Connection>();
  private acting: Promise<Connection> | null = null;

  constructor(private readonly target: Target) {}

  async hello(): Promise<string> {
    return (await this.connection()).protocolVersion;
  }

  async createSession(): Promise<string> {
    const { session } = await this.command<{ session: { id: string } }>('session:create', {
      projectId: this.target.projectId,
    });
    return session.id;
  }

  async endSession(session: string): Promise<void> {
    await this.command('session:end', { session });
  }

  async send(session: string, message: string): Promise<string> {
    return (await this.command<{ turn: { id: string } }>('turn:send', { session, message })).turn.id;
  }

  /** A turn as such is no command's answer: this is how a client of frames alone would know it, from its events. */
  async outcome(session: string, turn: string): Promise<TurnOutcome> {
    const following = await this.follow(session, 0);
    const isItsEnd = (event: Envelope) => event.kind === 'turn:end' && event.turn === turn;
    try {
      await following.until(`turn:end of ${turn}`, (events) => events.some(isItsEnd));
    } finally {
      await following.close();
    }
    const text = (kind: string) =>
      following.events
        .filter((event) => event.turn === turn && event.kind === kind)
        .map((event) => String((event.payload as { text?: unknown }).text ?? ''))
        .join('');
    const end = following.events.find(isItsEnd)?.payload as { status: string };
    return { status: end.status, text: text('session:complete') || text('chat:complete') };
  }

  async interrupt(session: string): Promise<void> {
    await this.command('turn:interrupt', { session });
  }

  async answer(session: string, permissionId: string, decision: Decision): Promise<void> {
    await this.command('permission:answer', { session, permissionId, decision });
  }

  async follow(session: string, after: number): Promise<Following> {
    const connection = await this.open();
    const log = new EventLog(() => connection.close());
    connection.onEvent = (envelope) => log.push([envelope]);
    connection.onEnd = (reason) => log.end(reason);
    await connection.ask('command', { command: 'session:attach', body: { session, after } });
    return log;
  }

  async close(): Promise<void> {
    for (const connection of this.connections) connection.close();
  }

  private async command<T>(command: string, body: object): Promise<T> {
    return (await (await this.connection()).ask('command', { command, body })) as T;
  }

  /** A client connects again when the server has closed. */
  private async connection(): Promise<Connection> {
    if ((await this.acting)?.isClosed === true) this.acting = null;
    return (this.acting ??= this.open());
  }

  private async open(): Promise<Connection> {
    const connection = await Connection.open(this.target);
    this.connections.add(connection);
    return connection;
  }
}

/** One connection, its handshake done. */
class Connection {
  protocolVersion = '';
  onEvent: (envelope: Envelope) => void = () => undefined;
  onEnd: (reason: string) => void = () => undefined;
  private readonly pending = new Map<string, Pending>();
  private lastId = 0;
  private closedWith: Error | null = null;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.take(JSON.parse(data.toString()) as Frame));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => this.end(code, reason.toString()));
  }

  static async open({ url, token }: Target): Promise<Connection> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: LIMIT_MS,
    });
    const connection = new Connection(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
      socket.once('unexpected-response', (_, response) => void refusedBy(response).then(reject));
    });
    const { protocolVersion } = (await connection.ask('handshake', {
      body: { protocolVersion: PROTOCOL_VERSION },
    })) as { protocolVersion: string };
    connection.protocolVersion = protocolVersion;
    return connection;
  }

  get isClosed(): boolean {
    return this.closedWith !== null;
  }

  ask(frame: string, more: object): Promise<unknown> {
    if (this.closedWith) return Promise.reject(this.closedWith);
    const id = String((this.lastId += 1));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.settle(id)?.reject(new Error(`no answer to ${frame}`)), LIMIT_MS);
      this.pending.set(id, {
        resolve: (body) => (clearTimeout(timer), resolve(body)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      });
      this.socket.send(JSON.stringify({ frame, id, ...more }));
    });
  }

  close(): void {
    this.socket.close();
  }

  private take({ frame, id, body }: Frame): void {
    if (frame === 'event') this.onEvent(body as Envelope);
    else if (frame === 'error' && id !== undefined) this.settle(id)?.reject(Refusal.of(body));
    else if ((frame === 'answer' || frame === 'handshake') && id !== undefined) this.settle(id)?.resolve(body);
    else if (frame === 'error') this.closedWith = Refusal.of(body);
  }

  private settle(id: string): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private end(code: number, reason: string): void {
    this.closedWith ??= new Error(`closed with ${code} ${reason}`);
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(this.closedWith);
    this.onEnd(`${code} ${reason}`);
  }
}

async function refusedBy(response: IncomingMessage): Promise<Error> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  try {
    return Refusal.of(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return new Error(`HTTP ${response.statusCode}`);
  }
}
