import type { AttachAck, EventsMessage } from '@chirality/contracts';
import type { TestClient } from '@chirality/testing';
import { io, type Socket } from 'socket.io-client';
import { SeenEvents } from './seen-events';

const ANSWER_MS = 8_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/**
 * Watches a session over Socket.IO as the dashboard does: after every end it connects again, with a growing pause, and
 * attaches with the last id before which nothing is missing.
 */
export class SocketViewer {
  readonly seen = new SeenEvents();
  /** How often a connection was made. */
  connections = 0;
  private readonly socket: Socket;
  private attempts = 0;
  private asking = false;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    person: TestClient,
    private readonly sessionId: string,
  ) {
    this.socket = io(person.baseUrl, {
      transports: ['websocket'],
      forceNew: true,
      autoConnect: false,
      reconnection: false,
      timeout: 10_000,
      auth: { token: person.token, clientId: `viewer-${sessionId}` },
    });
    this.socket.on('connect', () => {
      this.connections += 1;
      this.attempts = 0;
      void this.attach();
    });
    this.socket.on('connect_error', () => this.tryLater());
    this.socket.on('disconnect', () => this.tryLater());
    this.socket.on('resync', () => void this.attach());
    this.socket.on('events', ({ session, events }: EventsMessage) => {
      if (session === sessionId && !this.seen.take(events) && !this.asking) void this.attach();
    });
    this.socket.connect();
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.disconnect();
  }

  private async attach(): Promise<void> {
    this.asking = true;
    const answer = (await this.socket
      .timeout(ANSWER_MS)
      .emitWithAck('session:attach', { session: this.sessionId, after: this.seen.last })
      .catch(() => null)) as AttachAck | null;
    this.asking = false;
    if (this.closed || !this.socket.connected) return;
    if (answer === null) this.socket.disconnect();
    else if ('code' in answer) this.again(() => void this.attach(), 2_000);
  }

  private tryLater(): void {
    this.attempts += 1;
    const full = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.attempts - 1));
    this.again(() => this.socket.connect(), full * (0.5 + Math.random() / 2));
  }

  private again(act: () => void, afterMs: number): void {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(act, afterMs);
  }
}
