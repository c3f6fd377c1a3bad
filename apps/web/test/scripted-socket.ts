import type { AttachAck, ClientToServerEvents, Envelope, ServerToClientEvents } from '@chirality/contracts';
import type { ConnectProblem, SocketPort } from '../src/lib/live/socket-port';

type Attach = { session: string; after: number; answer: (answer: AttachAck) => void };

/** A socket for tests, whose other end the test plays. */
export class ScriptedSocket implements SocketPort {
  connected = false;
  readonly connects: string[] = [];
  readonly attaches: Attach[] = [];
  readonly refreshed: string[] = [];
  readonly detached: string[] = [];
  private readonly handlers = new Map<string, (message: never) => void>();
  private openHandler: () => void = () => undefined;
  private closeHandler: (problem: ConnectProblem) => void = () => undefined;

  connect(token: string): void {
    this.connects.push(token);
  }

  disconnect(): void {
    if (this.connected) this.drop();
  }

  emit<K extends keyof ClientToServerEvents>(name: K, ...message: Parameters<ClientToServerEvents[K]>): void {
    const [request, ack] = message as [
      { session: string; after: number; token: string },
      ((answer: AttachAck) => void)?,
    ];
    if (name === 'session:attach') this.attaches.push({ session: request.session, after: request.after, answer: ack! });
    if (name === 'session:detach') this.detached.push(request.session);
    if (name === 'auth:refresh') this.refreshed.push(request.token);
  }

  on<K extends keyof ServerToClientEvents>(name: K, handler: ServerToClientEvents[K]): void {
    this.handlers.set(name, handler);
  }

  onOpen(handler: () => void): void {
    this.openHandler = handler;
  }

  onClosed(handler: (problem: ConnectProblem) => void): void {
    this.closeHandler = handler;
  }

  accept(): void {
    this.connected = true;
    this.openHandler();
  }

  refuse(code: string | null = null): void {
    this.closeHandler({ code });
  }

  drop(): void {
    this.connected = false;
    this.closeHandler({ code: null });
  }

  say<K extends keyof ServerToClientEvents>(name: K, message: Parameters<ServerToClientEvents[K]>[0]): void {
    this.handlers.get(name)?.(message as never);
  }

  sayEvents(session: string, from: number, to: number): void {
    const events = Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, kind: 'custom' }) as Envelope);
    this.say('events', { session, events, through: to });
  }

  get lastAttach(): Attach {
    return this.attaches.at(-1)!;
  }
}
