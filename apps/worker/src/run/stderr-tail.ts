import { StringDecoder } from 'node:string_decoder';

const KEPT_LINES = 20;
const MAX_LINE_LENGTH = 2_000;

/** Splits stderr into lines for the log and keeps the last ones, which explain a start that failed. */
export class StderrTail {
  private readonly decoder = new StringDecoder('utf8');
  private open = '';
  private readonly kept: string[] = [];

  /** `masked` is asked before anything is kept; `isCut`: the line continues. */
  constructor(
    private readonly onLine: (line: string) => void,
    private readonly masked: (line: string, isCut: boolean) => string = (line) => line,
  ) {}

  push(chunk: Buffer): void {
    const parts = (this.open + this.decoder.write(chunk)).split('\n');
    // A flood without line ends must not grow in memory; one more is how it is known that there was more.
    this.open = (parts.pop() ?? '').slice(0, MAX_LINE_LENGTH + 1);
    for (const part of parts) this.keep(part);
  }

  end(): void {
    if (this.open !== '') this.keep(this.open);
    this.open = '';
  }

  lastLines(): string {
    return this.kept.join('\n');
  }

  private keep(line: string): void {
    const whole = line.replace(/\r$/, '');
    const cut = this.masked(whole.slice(0, MAX_LINE_LENGTH), whole.length > MAX_LINE_LENGTH);
    if (cut.trim() === '') return;
    this.onLine(cut);
    this.kept.push(cut);
    if (this.kept.length > KEPT_LINES) this.kept.shift();
  }
}
