const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Longer lines are skipped whole: nothing that is wanted comes near. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the data of server-sent events out of bytes that may be cut anywhere, in linear time. `wants` sees an event's
 * name (null where none was given) before its data is put together, so that the rest of a long stream costs a scan
 * only.
 */
export class ServerSentEventReader {
  private pieces: Buffer[] = [];
  private pendingBytes = 0;
  private skipping = false;
  private name: string | null = null;
  private data: string[] = [];

  constructor(
    private readonly wants: (name: string | null) => boolean,
    private readonly onEvent: (data: string) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  private keep(piece: Buffer): void {
    if (this.skipping || piece.length === 0) return;
    this.pendingBytes += piece.length;
    if (this.pendingBytes > MAX_LINE_BYTES) {
      this.skipping = true;
      this.pieces = [];
    } else this.pieces.push(piece);
  }

  private endLine(): void {
    const [first] = this.pieces;
    const line = this.pieces.length === 1 && first ? first : Buffer.concat(this.pieces);
    const skipped = this.skipping;
    this.pieces = [];
    this.pendingBytes = 0;
    this.skipping = false;
    if (!skipped) this.acceptLine(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
  }

  private acceptLine(line: Buffer): void {
    if (line.length === 0) return this.dispatch();
    if (startsWith(line, 'event:')) this.name = line.toString('utf8', 6).trim();
    else if (startsWith(line, 'data:') && this.wants(this.name)) this.data.push(line.toString('utf8', 5));
  }

  private dispatch(): void {
    if (this.data.length > 0) this.onEvent(this.data.join('\n'));
    this.name = null;
    this.data = [];
  }
}

function startsWith(line: Buffer, prefix: string): boolean {
  return line.length >= prefix.length && line.toString('latin1', 0, prefix.length) === prefix;
}
