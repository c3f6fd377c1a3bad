import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './gateway-error';
import type { GatewayLimits, GatewayLog, TurnBinding } from './gateway.types';
import { clientHeaders, upstreamHeaders } from './headers';
import { readAtMost, readBody } from './request-body';
import type { Upstream } from './upstream';
import { UsageObserver } from './usage-observer';
import type { Recording, UsageRecorder } from './usage-recorder';

const MAX_ERROR_BYTES = 1024 * 1024;
const REDACTED = '«redacted:api-key»';

/** One request of the program, from its first byte to the last byte of its answer, paid for by the turn bound at its start. */
export class Exchange<Binding extends TurnBinding> {
  private readonly cancelled = new AbortController();

  constructor(
    private readonly binding: Binding,
    private readonly upstream: Upstream,
    private readonly recorder: UsageRecorder<Binding>,
    private readonly limits: GatewayLimits,
    private readonly log: GatewayLog,
  ) {}

  /** Resolves when the answer is out or cut and its usage is on its way to the store. Never rejects. */
  async run(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    response.once('close', () => {
      if (!response.writableFinished) this.cancel();
    });
    this.cancelled.signal.addEventListener('abort', () => {
      if (response.headersSent) response.destroy();
      else refuse(response, 'ended');
    });
    try {
      const body = await readBody(request, this.limits.requestBytes);
      if (body === null) return refuse(response, 'size');
      await this.forward(body, request, response, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!this.cancelled.signal.aborted) this.log.warn({ code, turn: this.binding.turnId }, 'gateway.upstream_failed');
      refuse(response, 'unreachable', code ?? 'connection lost');
      if (!response.writableEnded) response.destroy();
    }
  }

  /** Stops at once, on both sides. */
  cancel(): void {
    this.cancelled.abort();
  }

  private async forward(body: Buffer, request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    this.cancelled.signal.throwIfAborted();
    const apiKey = this.binding.apiKey ?? this.upstream.apiKey;
    const call = this.upstream.post({ path, body, headers: upstreamHeaders(request.headers, this.upstream.host, apiKey, body.length) });
    this.cancelled.signal.addEventListener('abort', () => call.cancel());
    const answer = await call.response;
    if ((answer.statusCode ?? 502) >= 400) await this.passError(answer, response, apiKey);
    else await this.stream(answer, response, apiKey);
  }

  /** An error may quote what was sent, so it is passed on without the key. */
  private async passError(answer: IncomingMessage, response: ServerResponse, apiKey: string): Promise<void> {
    const text = (await readAtMost(answer, MAX_ERROR_BYTES)).toString('utf8').replaceAll(apiKey, REDACTED);
    const status = answer.statusCode ?? 502;
    const headers = clientHeaders(answer.headers, apiKey);
    // The program would ask again for minutes with a key that will not become right.
    if (status === 401) headers['x-should-retry'] = 'false';
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  }

  private async stream(answer: IncomingMessage, response: ServerResponse, apiKey: string): Promise<void> {
    let recording: Recording | null = null;
    const observer = new UsageObserver(answer.headers, {
      started: (usage) => (recording = this.recorder.begin(this.binding, usage)),
      ended: (usage, complete) => recording?.finish(usage, complete),
    });
    response.writeHead(answer.statusCode ?? 200, clientHeaders(answer.headers, apiKey));
    response.flushHeaders();
    answer.on('data', (chunk: Buffer) => observer.push(chunk));
    const closed = new Promise<void>((resolve) => answer.once('close', resolve));
    answer.once('error', () => undefined);
    answer.pipe(response);
    await closed;
    await observer.end();
    // A reply that the service cut must not look whole to the program.
    if (!answer.complete) response.destroy();
  }
}
