import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Writes server-sent events, no faster than the reader takes them. Says false once the reader is gone. */
export class EventStream {
  private waiting = '';

  constructor(
    private readonly response: ServerResponse,
    requestId: string,
    private readonly splitCharacters: boolean,
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': requestId,
    });
  }

  get isOpen(): boolean {
    return !this.response.destroyed;
  }

  /** Puts an event into the next write. */
  add(type: string, data: Record<string, unknown>): void {
    this.waiting += `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  }

  async write(): Promise<boolean> {
    const bytes = Buffer.from(this.waiting);
    this.waiting = '';
    if (!this.isOpen) return false;
    if (bytes.length === 0) return true;
    const cut = this.splitCharacters ? insideCharacter(bytes) : 0;
    if (cut > 0) {
      this.response.write(bytes.subarray(0, cut));
      await sleep(1);
    }
    if (!this.response.write(bytes.subarray(cut))) await drained(this.response);
    return this.isOpen;
  }

  end(): void {
    this.response.end();
  }

  /** Ends the connection without an ending. */
  destroy(): void {
    this.response.destroy();
  }
}

/** An index in the middle of the first multi-byte character; of the text where there is none. */
function insideCharacter(bytes: Buffer): number {
  const first = bytes.findIndex((byte) => byte >= 0xc0);
  return first >= 0 ? first + 1 : Math.floor(bytes.length / 2);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
