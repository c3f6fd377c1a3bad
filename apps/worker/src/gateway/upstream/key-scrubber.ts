import { Transform, type TransformCallback } from 'node:stream';

export const REDACTED_KEY = '«redacted:api-key»';

/** The text without the key. */
export function scrubKey(text: string, key: string): string {
  return key === '' ? text : text.replaceAll(key, REDACTED_KEY);
}

/**
 * Passes bytes on without the key, wherever they are cut. Holds back only what may be the key's beginning, so nothing
 * that is streamed waits for more.
 */
export class KeyScrubber extends Transform {
  private readonly key: Buffer;
  private held = Buffer.alloc(0);

  constructor(key: string) {
    super();
    this.key = Buffer.from(key);
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.key.length === 0) return done(null, chunk);
    let rest = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    for (let at = rest.indexOf(this.key); at !== -1; at = rest.indexOf(this.key)) {
      this.push(rest.subarray(0, at));
      this.push(REDACTED_KEY);
      rest = rest.subarray(at + this.key.length);
    }
    const open = rest.length - this.beginningAtEndOf(rest);
    this.held = Buffer.from(rest.subarray(open));
    if (open > 0) this.push(rest.subarray(0, open));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.held.length > 0) this.push(this.held);
    done();
  }

  /** How many bytes at the end of `bytes` begin the key. */
  private beginningAtEndOf(bytes: Buffer): number {
    const first = this.key[0] as number;
    const from = Math.max(0, bytes.length - this.key.length + 1);
    for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
      const length = bytes.length - at;
      if (bytes.compare(this.key, 0, length, at) === 0) return length;
    }
    return 0;
  }
}
