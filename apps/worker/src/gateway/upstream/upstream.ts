import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { UpstreamSettings } from '../gateway.types';

const CONNECT_TIMEOUT_MS = 15_000;

interface UpstreamCall {
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

interface UpstreamAnswer {
  response: Promise<IncomingMessage>;
  cancel(): void;
}

/** The model's service, behind connections that are kept open between requests. */
export class Upstream {
  readonly host: string;
  private readonly url: URL;
  private readonly agent: HttpAgent;

  constructor(private readonly settings: UpstreamSettings) {
    this.url = new URL(settings.url ?? 'http://model');
    this.host = this.url.host;
    const Agent = this.url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 16 });
  }

  /** POSTs once; a kept connection that the service had already closed is replaced by a fresh one. */
  post(call: UpstreamCall): UpstreamAnswer {
    let current: ClientRequest | null = null;
    let cancelled = false;
    const attempt = (onlyFresh: boolean): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const request = this.open(call, onlyFresh);
        current = request;
        request.once('response', resolve);
        request.once('error', (error: NodeJS.ErrnoException) => {
          const stale = request.reusedSocket && error.code === 'ECONNRESET' && !cancelled;
          if (stale) resolve(attempt(true));
          else reject(error);
        });
        // An unrequested change of protocol comes neither as an answer nor as an error.
        request.once('close', () => reject(new Error('the service did not answer')));
        request.end(call.body);
      });
    const response = attempt(false);
    return {
      response,
      cancel: () => {
        cancelled = true;
        current?.destroy();
      },
    };
  }

  close(): void {
    this.agent.destroy();
  }

  private open({ path, headers }: UpstreamCall, onlyFresh: boolean): ClientRequest {
    const request = this.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const { socketPath } = this.settings;
    const opened = request({
      method: 'POST',
      agent: onlyFresh ? false : this.agent,
      ...(socketPath
        ? { socketPath }
        : { hostname: this.url.hostname.replace(/^\[|\]$/g, ''), port: this.url.port || undefined }),
      path: this.url.pathname.replace(/\/+$/, '') + path,
      headers,
    });
    opened.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(
        () => opened.destroy(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' })),
        CONNECT_TIMEOUT_MS,
      );
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
    });
    return opened;
  }
}
