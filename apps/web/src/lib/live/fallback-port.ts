import type { ClientToServerEvents, ServerToClientEvents } from '@chirality/contracts';
import type { Clock } from '../state/clock';
import { Observable } from '../state/observable';
import type { ConnectProblem, SocketPort } from './socket-port';

/** How events come: over a WebSocket; as a stream over HTTP, since none gets through; or page by page. */
export type Transport = 'websocket' | 'stream' | 'polling';

/** The way without WebSocket. */
interface StreamPort extends SocketPort {
  readonly isPolling: Pick<Observable<boolean>, 'get' | 'subscribe'>;
  abandon(): void;
}

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 5 * 60_000;

/**
 * A WebSocket, or where that cannot be opened although the server answers, a stream over HTTP. The WebSocket is tried
 * again meanwhile, seldom: what was in the way may have gone.
 */
export class FallbackPort implements SocketPort {
  readonly transport = new Observable<Transport>('websocket');
  private token = '';
  private way: 'socket' | 'stream' = 'socket';
  private retries = 0;
  private wasOpen = false;
  private stopRetry: () => void = () => undefined;
  private opened: () => void = () => undefined;
  private closed: (problem: ConnectProblem) => void = () => undefined;

  constructor(
    private readonly socket: SocketPort,
    private readonly stream: StreamPort,
    private readonly clock: Clock,
  ) {
    socket.onOpen(() => this.socketOpened());
    socket.onClosed((problem) => this.socketClosed(problem));
    stream.onOpen(() => {
      this.showStream();
      this.tryAgainLater();
      this.opened();
    });
    stream.onClosed((problem) => {
      if (this.way !== 'stream') return;
      this.stopRetry();
      this.way = 'socket';
      this.closed(problem);
    });
    stream.isPolling.subscribe(() => {
      if (this.way === 'stream') this.showStream();
    });
  }

  get connected(): boolean {
    return this.active.connected;
  }

  connect(token: string): void {
    this.token = token;
    this.way = 'socket';
    this.socket.connect(token);
  }

  disconnect(): void {
    this.stopRetry();
    this.active.disconnect();
  }

  emit<K extends keyof ClientToServerEvents>(name: K, ...message: Parameters<ClientToServerEvents[K]>): void {
    const [request] = message as [{ token?: string }];
    if (name === 'auth:refresh' && request.token !== undefined) this.token = request.token;
    this.active.emit(name, ...message);
  }

  on<K extends keyof ServerToClientEvents>(name: K, handler: ServerToClientEvents[K]): void {
    this.socket.on(name, handler);
    this.stream.on(name, handler);
  }

  onOpen(handler: () => void): void {
    this.opened = handler;
  }

  onClosed(handler: (problem: ConnectProblem) => void): void {
    this.closed = handler;
  }

  private get active(): SocketPort {
    return this.way === 'socket' ? this.socket : this.stream;
  }

  private socketOpened(): void {
    this.stopRetry();
    this.retries = 0;
    if (this.way === 'stream') this.stream.abandon();
    this.way = 'socket';
    this.transport.set('websocket');
    this.wasOpen = true;
    this.opened();
  }

  private socketClosed(problem: ConnectProblem): void {
    const wasOpen = this.wasOpen;
    this.wasOpen = false;
    if (this.way === 'stream') return this.tryAgainLater();
    // The server itself has said why, or the connection was there a moment ago.
    if (wasOpen || problem.code !== null) return this.closed(problem);
    this.way = 'stream';
    this.stream.connect(this.token);
  }

  private showStream(): void {
    this.transport.set(this.stream.isPolling.get() ? 'polling' : 'stream');
  }

  private tryAgainLater(): void {
    this.stopRetry();
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 4 ** this.retries);
    this.retries += 1;
    this.stopRetry = this.clock.after(delayMs, () => {
      if (this.way === 'stream') this.socket.connect(this.token);
    });
  }
}
