import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { waitFor } from '@chirality/testing';

type SseEvent = { id: string | null; event: string; data: string };

/** Reads server-sent events as a browser would, keeping the data as it came. */
export class EventStreamReader {
  readonly events: SseEvent[] = [];
  status: number | null = null;
  ended = false;
  private rest = '';
  private readonly request: ClientRequest;

  constructor(url: string, token: string | null, options: { lastEventId?: number } = {}) {
    this.request = httpRequest(url, {
      headers: {
        accept: 'text/event-stream',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(options.lastEventId === undefined ? {} : { 'last-event-id': String(options.lastEventId) }),
      },
    });
    this.request.on('response', (response) => this.read(response));
    this.request.on('error', () => (this.ended = true));
    this.request.end();
  }

  async until(count: number, timeoutMs = 20_000): Promise<SseEvent[]> {
    await waitFor(() => this.events.length >= count || this.ended, { what: `${count} events arrive`, timeoutMs });
    return this.events;
  }

  close(): void {
    this.request.destroy();
  }

  private read(response: IncomingMessage): void {
    this.status = response.statusCode ?? null;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.take(chunk));
    response.on('close', () => (this.ended = true));
  }

  private take(chunk: string): void {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (!block.startsWith(':') && block.includes('data: '))
        this.events.push({
          id: field(block, 'id'),
          event: field(block, 'event') ?? 'message',
          data: field(block, 'data') ?? '',
        });
    }
  }
}

function field(block: string, name: string): string | null {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}
