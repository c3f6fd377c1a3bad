import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Response } from 'express';

/** Of one stream: a client that lets more wait has its stream ended, and continues it where it stopped. */
export const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/**
 * Ends an answer that its client does not read. The transport holds in memory what the connection does not take, and
 * does not say how much that is.
 */
export class WaitingBytes {
  private held = 0;

  constructor(private readonly response: Pick<Response, 'writableNeedDrain' | 'writableLength' | 'destroy'>) {}

  /** Before a message is handed to the transport. */
  add(message: JSONRPCMessage): void {
    // A connection that takes more has taken all that was held.
    this.held = this.response.writableNeedDrain ? this.held + Buffer.byteLength(JSON.stringify(message)) : 0;
    if (this.held + this.response.writableLength > MAX_WAITING_BYTES) this.response.destroy();
  }
}
