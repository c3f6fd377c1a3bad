import type { Readable } from 'node:stream';

const KEEP_CHARS = 2_000;

/** Remembers the end of a stream that another reader consumes. */
export class StderrTail {
  private text = '';

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.text = (this.text + chunk.toString('utf8')).slice(-KEEP_CHARS);
    });
  }

  /** Empty when nothing was written. */
  lastLine(): string {
    return this.text.trim().split('\n').at(-1)?.trim() ?? '';
  }
}
