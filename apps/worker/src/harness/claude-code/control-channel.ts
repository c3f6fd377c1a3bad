import type { Writable } from 'node:stream';
import type { AnswerChannel, ControlAnswer } from '../harness';

/**
 * Our side of the program's control protocol: one JSON object per line on its stdin. A write after the program closed
 * its end is dropped, never an exception: answers to questions race with the end of the process by nature.
 */
export class ControlChannel implements AnswerChannel {
  private readonly waiting = new Map<string, (answer: ControlAnswer) => void>();
  private sequence = 0;
  private closed = false;

  constructor(private readonly stdin: Writable) {
    stdin.on('error', () => {
      this.closed = true;
    });
  }

  get isOpen(): boolean {
    return !this.closed && !this.stdin.destroyed && !this.stdin.writableEnded;
  }

  /** False when the program can no longer be spoken to. */
  send(record: Record<string, unknown>): boolean {
    if (!this.isOpen) return false;
    this.stdin.write(`${JSON.stringify(record)}\n`);
    return true;
  }

  /** Asks the program something; resolves with its answer, or with `ok: false` once the channel is over. */
  request(request: Record<string, unknown>): Promise<ControlAnswer> {
    const requestId = `c${(this.sequence += 1)}`;
    return new Promise((resolve) => {
      this.waiting.set(requestId, resolve);
      if (!this.send({ type: 'control_request', request_id: requestId, request }))
        this.settle(requestId, { ok: false, error: 'the process is gone' });
    });
  }

  /** Hands over the program's answer to one of our requests; unknown ids are ignored. */
  accept(requestId: string, answer: ControlAnswer): void {
    this.settle(requestId, answer);
  }

  /** Answers a request of the program. */
  respond(requestId: string, response: Record<string, unknown>): boolean {
    return this.send({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });
  }

  /** Answers that we failed: with `onFailure: "block"` and for permissions the tool then does not run. */
  respondError(requestId: string, error: string): boolean {
    return this.send({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } });
  }

  /** Ends the program's input: after its result, it exits. */
  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.stdin.end();
  }

  /** Called when the process is gone: every waiting caller gets an answer. */
  abandon(): void {
    this.closed = true;
    for (const requestId of [...this.waiting.keys()])
      this.settle(requestId, { ok: false, error: 'the process is gone' });
  }

  private settle(requestId: string, answer: ControlAnswer): void {
    const resolve = this.waiting.get(requestId);
    this.waiting.delete(requestId);
    resolve?.(answer);
  }
}
