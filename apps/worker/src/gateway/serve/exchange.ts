import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { contentDecoder, plainAnswer } from '../upstream/content-decoder';
import { checkRequest, RequestRefused, type CheckedRequest } from '../check';
import { refuse } from '../gateway-error';
import type { GatewayLimits, GatewayLog, MessageUsage, TurnBinding } from '../gateway.types';
import { clientHeaders, upstreamHeaders } from '../upstream/headers';
import { KeyScrubber, scrubKey } from '../upstream/key-scrubber';
import type { Admission, RequestAuthorizer } from './request-authorizer';
import { LeavableResponse } from '../upstream/leavable-response';
import { BodyRefused, readAtMost, readBody, type BodyShare } from '../upstream/request-body';
import { errorMessageOf } from '../upstream/service-error';
import { UsageObserver } from '../usage/usage-observer';
import type { Recording, UsageRecorder } from '../usage/usage-recorder';

const MAX_ERROR_BYTES = 1024 * 1024;
const ANY_MODEL = { model: null, webSearch: false };

/**
 * One request of the program, from its first byte to the last byte of its answer, paid for by the turn bound at its
 * start.
 */
export class Exchange<Binding extends TurnBinding> {
  private readonly cancelled = new AbortController();
  private used: MessageUsage | null = null;
  private stopReason: string | null = null;
  /** The request is on its way to the service. */
  private sent = false;
  private over: () => void = () => undefined;
  private stored: Promise<void> = Promise.resolve();

  constructor(
    private readonly binding: Binding,
    private readonly authorizer: RequestAuthorizer<Binding>,
    private readonly recorder: UsageRecorder<Binding>,
    private readonly limits: GatewayLimits,
    private readonly log: GatewayLog,
  ) {}

  /** Resolves when the answer is out or cut and its usage is on its way to the store. Never rejects. */
  async run(request: IncomingMessage, response: ServerResponse, path: string, share: BodyShare): Promise<void> {
    response.once('close', () => {
      if (!response.writableFinished) this.leave();
    });
    this.cancelled.signal.addEventListener('abort', () => {
      if (response.headersSent) response.destroy();
      else refuse(response, 'ended');
    });
    try {
      const checked = this.check(request, share);
      // Who refuses a request may do so before it has come.
      checked.catch(() => undefined);
      const admission = await this.authorizer.admit(this.binding, { path, checked, cancelled: this.cancelled.signal });
      if ('refusal' in admission) return refuse(response, 'payment', admission.refusal);
      const { bytes } = await checked;
      try {
        await this.forward(admission, admission.body ?? bytes, request, response, path);
      } finally {
        admission.ended?.({ used: this.used, stopReason: this.stopReason, stored: this.stored });
      }
    } catch (error) {
      if (error instanceof BodyRefused) return refuse(response, error.why);
      if (error instanceof RequestRefused) {
        this.binding.onRequestRefused?.(error);
        return refuse(response, 'request', error.message);
      }
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

  /**
   * The reader went away although the turn continues. What the service wrote costs all the same, so the answer is read
   * to its end, for a bounded time: the service says there what it used, and nothing is won by leaving before. An
   * interrupted turn does not wait for it: its end cancels what is open, and what came is counted.
   */
  private leave(): void {
    if (!this.sent) return this.cancel();
    const timer = setTimeout(() => this.cancel(), this.limits.afterLeavingMs).unref();
    this.cancelled.signal.addEventListener('abort', () => clearTimeout(timer));
    this.over = () => clearTimeout(timer);
  }

  private async check(request: IncomingMessage, share: BodyShare): Promise<CheckedRequest> {
    const body = await readBody(request, this.limits.requestBytes, share);
    return checkRequest(request.headers, body, this.binding.allows ?? ANY_MODEL);
  }

  private async forward(
    admission: Admission,
    body: Buffer,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    this.cancelled.signal.throwIfAborted();
    const { upstream, apiKey } = admission.account;
    this.sent = true;
    const call = upstream.post({
      path,
      body,
      headers: upstreamHeaders(request.headers, upstream.host, apiKey, body.length),
    });
    this.cancelled.signal.addEventListener('abort', () => call.cancel());
    const answer = await call.response;
    if ((answer.statusCode ?? 502) >= 400) await this.passError(answer, response, admission);
    else await this.stream(answer, response, admission);
  }

  /** An error may quote what was sent, so it is passed on without the key. */
  private async passError(answer: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    const { apiKey } = admission.account;
    const text = scrubKey((await readAtMost(plainAnswer(answer), MAX_ERROR_BYTES)).toString('utf8'), apiKey);
    const status = answer.statusCode ?? 502;
    admission.answered?.(status, errorMessageOf(text));
    const headers = clientHeaders(answer.headers, apiKey);
    // The program would ask again for minutes with a key that will not become right.
    if (status === 401) headers['x-should-retry'] = 'false';
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  }

  /** A reply that the service cut looks cut to the program too. */
  private async stream(answer: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    const { apiKey, demo } = admission.account;
    const status = answer.statusCode ?? 200;
    admission.answered?.(status, null);
    let recording: Recording | null = null;
    const observer = new UsageObserver(answer.headers, {
      started: (usage) => {
        this.used = usage;
        recording = this.recorder.begin(this.binding, { demo }, usage);
      },
      ended: (usage, complete, stopReason) => {
        this.used = usage;
        this.stopReason = stopReason;
        if (recording) this.stored = recording.finish(usage, complete);
      },
    });
    response.writeHead(status, clientHeaders(answer.headers, apiKey));
    response.flushHeaders();
    const decoder = contentDecoder(answer.headers);
    (decoder ?? answer).on('data', (chunk: Buffer) => observer.push(chunk));
    try {
      await pipeline([answer, ...(decoder ? [decoder] : []), new KeyScrubber(apiKey), new LeavableResponse(response)]);
    } finally {
      this.over();
      observer.end();
    }
  }
}
