import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

/**
 * The way of an answer to its reader, at the reader's pace. When the reader leaves, what still comes is read and
 * dropped: how much an answer used stands at its end, and leaving early must not make it cheaper.
 */
export class LeavableResponse extends Writable {
  constructor(private readonly response: ServerResponse) {
    super({ highWaterMark: response.writableHighWaterMark });
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const { response } = this;
    if (response.destroyed || response.closed || response.write(chunk)) return done();
    const goOn = (): void => {
      response.off('drain', goOn);
      response.off('close', goOn);
      done();
    };
    response.once('drain', goOn);
    response.once('close', goOn);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (!this.response.destroyed) this.response.end();
    done();
  }
}
