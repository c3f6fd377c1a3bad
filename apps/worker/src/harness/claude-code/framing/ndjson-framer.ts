import { NOISE_SAMPLE_CHARS } from '../../harness';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const MEBIBYTE = 1024 * 1024;

/** A line longer than this is skipped as a whole. */
export const MAX_LINE_BYTES = 64 * MEBIBYTE;
/** 500 UTF-16 units are at most 1,500 bytes of UTF-8: enough to decode the sample without its cut end. */
const NOISE_SAMPLE_BYTES = 2_048;
const FIRST_BUFFER_BYTES = 64 * 1024;
/** A buffer that grew beyond this is given back after the line that needed it. */
const KEPT_BUFFER_BYTES = MEBIBYTE;

type NoiseReason = 'not_json';

interface NdjsonFramerOptions {
  maxLineBytes?: number | undefined;
  /** A whole line that can be JSON, without its end of line. Without it no line is decoded. */
  onLine?(line: string): void;
  /** A line that cannot be JSON, cut to `NOISE_SAMPLE_CHARS`. */
  onNoise(reason: NoiseReason, sample: string): void;
  /** A line over the limit was dropped; called at its end with its size. */
  onTooLong(bytes: number): void;
  /** The same, as soon as the line passes the limit and whether or not it ever ends. */
  onOverflow?(bytesSoFar: number): void;
}

/**
 * Cuts a byte stream into lines at `\n` only (U+2028 and its like are text), tolerates CRLF, skips blank lines and byte
 * order marks in front of a line. Decoding happens on whole lines, so no cut of the bytes can damage a character: any
 * split of the same bytes gives the same calls. Each byte is copied at most a constant number of times, memory is
 * bounded by `maxLineBytes`, and after a line that is too long the next one is read as usual. Never throws.
 */
export class NdjsonFramer {
  private readonly maxLineBytes: number;
  private held: Buffer = Buffer.alloc(0);
  private heldBytes = 0;
  private skippedBytes = 0;

  constructor(private readonly options: NdjsonFramerOptions) {
    this.maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(NEWLINE);
    while (end !== -1) {
      this.finishLine(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.hold(chunk, start, chunk.length);
  }

  /** The stream is over: a last line without an end of line is a line. */
  end(): void {
    this.finishLine(this.held, 0, 0);
  }

  private finishLine(chunk: Buffer, start: number, end: number): void {
    if (this.skippedBytes > 0 || this.heldBytes + end - start > this.maxLineBytes) {
      this.options.onTooLong(this.skippedBytes + this.heldBytes + end - start);
    } else if (this.heldBytes === 0) {
      this.deliver(chunk, start, end);
    } else {
      this.hold(chunk, start, end);
      this.deliver(this.held, 0, this.heldBytes);
    }
    this.skippedBytes = 0;
    this.release();
  }

  private hold(chunk: Buffer, start: number, end: number): void {
    const size = end - start;
    if (this.skippedBytes > 0 || this.heldBytes + size > this.maxLineBytes) {
      const begins = this.skippedBytes === 0;
      this.skippedBytes += this.heldBytes + size;
      this.release();
      if (begins) this.options.onOverflow?.(this.skippedBytes);
      return;
    }
    const needed = this.heldBytes + size;
    if (needed > this.held.length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.min(Math.max(needed * 2, FIRST_BUFFER_BYTES), Math.max(this.maxLineBytes, needed)),
      );
      this.held.copy(grown, 0, 0, this.heldBytes);
      this.held = grown;
    }
    chunk.copy(this.held, this.heldBytes, start, end);
    this.heldBytes = needed;
  }

  private release(): void {
    this.heldBytes = 0;
    if (this.held.length > KEPT_BUFFER_BYTES) this.held = Buffer.alloc(0);
  }

  private deliver(bytes: Buffer, from: number, to: number): void {
    let start = from;
    let end = to;
    // Wherever it stands in front of a line, for what writes several pieces to one pipe may mark each.
    while (BYTE_ORDER_MARK.every((byte, i) => start + i < end && bytes[start + i] === byte))
      start += BYTE_ORDER_MARK.length;
    while (end > start && isBlank(bytes[end - 1])) end -= 1;
    while (start < end && isBlank(bytes[start])) start += 1;
    if (start === end) return;
    if (bytes[start] === 0x7b || bytes[start] === 0x5b) {
      const { onLine } = this.options;
      if (onLine) onLine(bytes.toString('utf8', start, end));
    } else
      this.options.onNoise(
        'not_json',
        bytes.toString('utf8', start, Math.min(end, start + NOISE_SAMPLE_BYTES)).slice(0, NOISE_SAMPLE_CHARS),
      );
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === CARRIAGE_RETURN || byte === 0x20 || byte === 0x09;
}
