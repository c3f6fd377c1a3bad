import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { every, metrics } from '@chirality/platform';
import type { Response } from 'express';
import { MAX_WAITING_BYTES } from './waiting-bytes';

const HEARTBEAT_MS = 15_000;
/** After a break the client comes back this soon. */
export const RETRY_MS = 1_000;

/** Messages of the protocol as server-sent events, each with the id by which the stream is continued. */
export class MessageStream {
  readonly left: AbortSignal;
  private readonly stopHeartbeat: () => void;
  private isOpen = true;

  constructor(private readonly response: Response) {
    const leaving = new AbortController();
    this.left = leaving.signal;
    response.once('close', () => {
      leaving.abort();
      this.end();
    });
    response.on('error', () => undefined);
    metrics.socketsOpen.inc({ transport: 'mcp' });
    this.stopHeartbeat = every(HEARTBEAT_MS, () => this.write(': here\n\n'), { background: true });
    if (response.destroyed) {
      leaving.abort();
      this.end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(message: JSONRPCMessage, id: string): void {
    this.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.stopHeartbeat();
    metrics.socketsOpen.dec({ transport: 'mcp' });
    this.response.end();
  }

  private write(text: string): void {
    if (!this.isOpen || this.response.destroyed) return;
    this.response.write(text);
    // Not ended: that would wait for the client, which does not read.
    if (this.response.writableLength > MAX_WAITING_BYTES) this.response.destroy();
  }
}
