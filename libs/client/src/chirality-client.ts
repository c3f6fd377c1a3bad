import { followEvents, type FollowOptions } from './events/follow-events';
import type { Connection } from './events/open-events';
import { answerOf, createApi, type Api } from './http/api';
import { fixedToken, signedFetch, type TokenSource } from './http/signed-fetch';
import type { Options, SessionEvent, Turn } from './routes';
import { waitForTurn, type WaitOptions } from './turn/wait-for-turn';

export type ClientOptions = {
  /** With the path below which the server answers, where it has one: `https://host/tools/chirality`. */
  baseUrl: string;
  /** An access token, or what gives one and renews it. */
  token: string | TokenSource;
  /** An id like `cli_01J…`: events that its requests cause name it. */
  clientId?: string;
  /** Of one request. */
  timeoutMs?: number;
};

export type SendOptions = {
  options?: Options;
  attachments?: string[];
  /**
   * The same key within 24 hours is the same turn. Made up where absent, so that a request that is repeated here is.
   */
  idempotencyKey?: string;
};

/** A server as one principal sees it. Every method throws `ApiError`, whose `code` is stable. */
export class ChiralityClient {
  /** Every route, typed: `answerOf(client.api.GET('/v1/projects'))`. */
  readonly api: Api;
  readonly baseUrl: string;
  private readonly connection: Connection;

  constructor({ baseUrl, token, clientId, timeoutMs }: ClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    const tokens = typeof token === 'string' ? fixedToken(token) : token;
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(clientId === undefined ? {} : { 'x-client-id': clientId }),
    };
    this.connection = { baseUrl: this.baseUrl, tokens, headers };
    this.api = createApi({ baseUrl: this.baseUrl, headers, fetch: signedFetch(tokens, timeoutMs) });
  }

  /** The events of a session, each once and in order, across losses of the connection. */
  follow(sessionId: string, options?: FollowOptions): AsyncGenerator<SessionEvent, void, undefined> {
    return followEvents(this.connection, sessionId, options);
  }

  /** Sends a message; the turn is accepted and durable when this returns. */
  async send(sessionId: string, message: string, more: SendOptions = {}): Promise<Turn> {
    const { options = {}, attachments = [], idempotencyKey = crypto.randomUUID() } = more;
    const params = { path: { sessionId }, header: { 'Idempotency-Key': idempotencyKey } };
    const body = { message, options, attachments };
    const sent = await answerOf(this.api.POST('/v1/sessions/{sessionId}/turns', { params, body }));
    // Only what was sent with `whenBusy` waits.
    if (!('turn' in sent)) throw new Error('The server queued a message that was to be sent at once.');
    return sent.turn;
  }

  /** The turn once its state is final. */
  waitForTurn(sessionId: string, turnId: string, options?: WaitOptions): Promise<Turn> {
    return waitForTurn(this.api, (after, signal) => this.follow(sessionId, { after, signal }), {
      sessionId,
      turnId,
      ...options,
    });
  }

  /** Asks the running turn to stop; its end is an event. */
  async interrupt(sessionId: string): Promise<void> {
    await answerOf(this.api.POST('/v1/sessions/{sessionId}/interrupt', { params: { path: { sessionId } } }));
  }
}
