import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Envelope } from '@chirality/contracts';
import type { TestClient } from '@chirality/testing';
import { SeenEvents } from './seen-events';

/** How long the server asks readers to wait before they reconnect. */
const PAUSE_MS = 1_000;

/** Reads a session's server-sent events as a browser does: comes back after every end, with the last id that it saw. */
export class StreamViewer {
  readonly seen = new SeenEvents();
  connections = 0;
  private current: ClientRequest | null = null;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly person: TestClient,
    private readonly sessionId: string,
  ) {
    this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.current?.destroy();
  }

  private open(): void {
    const lastSeen = this.seen.last > 0 ? { 'last-event-id': String(this.seen.last) } : {};
    const asked = request(`${this.person.baseUrl}/v1/sessions/${this.sessionId}/events`, {
      agent: false,
      headers: { accept: 'text/event-stream', authorization: `Bearer ${this.person.token}`, ...lastSeen },
    });
    this.current = asked;
    asked.on('response', (response) => this.read(response));
    asked.on('error', () => undefined);
    asked.on('close', () => this.comeBack());
    asked.end();
  }

  private read(response: IncomingMessage): void {
    if (response.statusCode === 200) this.connections += 1;
    let rest = '';
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    });
  }

  private take(block: string): void {
    const data = block
      .split('\n')
      .find((line) => line.startsWith('data: '))
      ?.slice('data: '.length);
    if (data === undefined || !/^id: /m.test(block)) return;
    // A stream has no page to ask for again: what does not continue where it ended is a fault, and shows as a gap.
    this.seen.take([JSON.parse(data) as Envelope]);
  }

  private comeBack(): void {
    if (!this.closed) this.timer = setTimeout(() => this.open(), PAUSE_MS);
  }
}
