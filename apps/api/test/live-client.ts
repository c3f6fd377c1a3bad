import type { AttachAck, Envelope, EventsMessage, PresencePerson } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import type { Socket } from 'socket.io-client';

/** An open connection that remembers what it received, session by session. */
export class LiveClient {
  readonly events = new Map<string, Envelope[]>();
  readonly pages: EventsMessage[] = [];
  readonly resyncs: { session: string; after: number }[] = [];
  readonly closed: { session: string; problem: { code: string } }[] = [];
  people = new Map<string, PresencePerson[]>();
  disconnected: string | null = null;

  private constructor(readonly socket: Socket) {
    socket.on('events', (message: EventsMessage) => {
      this.pages.push(message);
      this.seen(message.session).push(...message.events);
    });
    socket.on('resync', (message: { session: string; after: number }) => this.resyncs.push(message));
    socket.on('session:closed', (message: { session: string; problem: { code: string } }) => this.closed.push(message));
    socket.on('presence', ({ session, people }: { session: string; people: PresencePerson[] }) =>
      this.people.set(session, people),
    );
    socket.on('disconnect', (reason) => (this.disconnected = reason));
  }

  /** Rejects with the problem when the server refuses the connection. */
  static async open(socket: Socket): Promise<LiveClient> {
    const client = new LiveClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('connect_error', reject);
      socket.connect();
    });
    return client;
  }

  seen(session: string): Envelope[] {
    const events = this.events.get(session) ?? [];
    this.events.set(session, events);
    return events;
  }

  ask(event: string, message: unknown): Promise<AttachAck & Record<string, unknown>> {
    return this.socket.timeout(8_000).emitWithAck(event, message) as Promise<AttachAck & Record<string, unknown>>;
  }

  attach(session: string, after = 0): Promise<AttachAck & Record<string, unknown>> {
    return this.ask('session:attach', { session, after });
  }

  async until(session: string, id: number, timeoutMs = 20_000): Promise<Envelope[]> {
    await waitFor(() => (this.seen(session).at(-1)?.id ?? 0) >= id, {
      what: `event ${id} arrives (have ${this.seen(session).length})`,
      timeoutMs,
    });
    return this.seen(session);
  }

  close(): void {
    this.socket.disconnect();
  }
}
