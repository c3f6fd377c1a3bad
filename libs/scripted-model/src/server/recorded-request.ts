import type { IncomingHttpHeaders } from 'node:http';

/** A request as a test may look at it. */
export type RecordedRequest = {
  sequence: number;
  atMs: number;
  method: string;
  path: string;
  /** Without the values of credentials. */
  headers: IncomingHttpHeaders;
  body: unknown;
  /** What it was answered with: a directive's name, a script's name, or a status. */
  answer: string;
  /** The client went away before the answer was complete. */
  aborted: boolean;
};

const CREDENTIALS = ['authorization', 'x-api-key', 'cookie'];
const MAX_RECORDED = 10_000;

export class RequestLog {
  private recorded: RecordedRequest[] = [];
  private sequence = 0;

  constructor(private readonly enabled: boolean) {}

  add(request: Omit<RecordedRequest, 'sequence' | 'atMs' | 'aborted' | 'answer'>): RecordedRequest {
    this.sequence += 1;
    const headers = { ...request.headers };
    for (const name of CREDENTIALS)
      if (headers[name] !== undefined) headers[name] = `${String(headers[name]).slice(0, 7)}…`;
    const entry = { ...request, headers, sequence: this.sequence, atMs: Date.now(), answer: '', aborted: false };
    if (this.enabled) this.recorded.push(entry);
    if (this.recorded.length > MAX_RECORDED) this.recorded.shift();
    return entry;
  }

  all(): readonly RecordedRequest[] {
    return this.recorded;
  }

  clear(): void {
    this.recorded = [];
  }
}
