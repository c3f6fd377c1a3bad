import {
  answerOf,
  ApiError,
  createApi,
  fixedToken,
  openEvents,
  readSse,
  signedFetch,
  type SessionEvent,
} from '@chirality/client';
import type { AttachAck, ClientToServerEvents, Envelope, Problem, ServerToClientEvents } from '@chirality/contracts';
import { BASE_PATH } from '../page/base-path';
import { Observable } from '../state/observable';
import type { ConnectProblem, SocketPort } from './socket-port';

const PROBE_MS = 5_000;
/** A stream says something as soon as it is open: what is silent for longer is held back on its way. */
const HELD_BACK_MS = 4_000;
const POLL_MS = 2_000;
/** The server says something every 15 s. */
const SILENCE_MS = 45_000;

type Stream = { cursor: number; ended: AbortController };

/**
 * The live connection over plain HTTP, where nothing lets a WebSocket through: a stream of server-sent events for each
 * session, and where even that is held back, a page of events every two seconds. Who types is not said over it, and
 * changes of lists are not announced.
 */
export class EventStreamPort implements SocketPort {
  connected = false;
  readonly isPolling = new Observable(false);
  private token = '';
  private attempt = 0;
  private readonly streams = new Map<string, Stream>();
  private readonly handlers = new Map<string, (message: never) => void>();
  private opened: () => void = () => undefined;
  private closed: (problem: ConnectProblem) => void = () => undefined;

  constructor(
    private readonly clientId: string,
    private readonly baseUrl = `${globalThis.location?.origin ?? ''}${BASE_PATH}`,
  ) {}

  connect(token: string): void {
    this.token = token;
    const attempt = ++this.attempt;
    this.api()
      .GET('/v1/me')
      .then(
        () => {
          if (attempt !== this.attempt) return;
          this.connected = true;
          this.opened();
        },
        (error: unknown) => {
          if (attempt === this.attempt) this.closed({ code: codeOf(error) });
        },
      );
  }

  disconnect(): void {
    if (this.connected) this.close(null);
    // What is being asked is no longer wanted.
    this.attempt += 1;
  }

  /** Ends it without a word, where another way has taken over. */
  abandon(): void {
    this.attempt += 1;
    this.connected = false;
    for (const session of [...this.streams.keys()]) this.detach(session);
    this.isPolling.set(false);
  }

  emit<K extends keyof ClientToServerEvents>(name: K, ...message: Parameters<ClientToServerEvents[K]>): void {
    const [request, answer] = message as [
      { session: string; after: number; token: string },
      ((answer: AttachAck) => void)?,
    ];
    if (name === 'session:attach') void this.attach(request.session, request.after, answer ?? (() => undefined));
    else if (name === 'session:detach') this.detach(request.session);
    else if (name === 'auth:refresh') this.useToken(request.token);
  }

  on<K extends keyof ServerToClientEvents>(name: K, handler: ServerToClientEvents[K]): void {
    this.handlers.set(name, handler);
  }

  onOpen(handler: () => void): void {
    this.opened = handler;
  }

  onClosed(handler: (problem: ConnectProblem) => void): void {
    this.closed = handler;
  }

  private async attach(session: string, after: number, answer: (answer: AttachAck) => void): Promise<void> {
    this.detach(session);
    const stream: Stream = { cursor: after, ended: new AbortController() };
    this.streams.set(session, stream);
    await this.whileWanted(stream, answer, async () => {
      const path = { sessionId: session };
      const { lastEventId } = await answerOf(this.api().GET('/v1/sessions/{sessionId}', { params: { path } }));
      const body = await this.open(session, stream);
      answer({ lastEventId });
      await this.read(session, stream, body);
    });
  }

  /** Another token: each stream ends with the one that it was opened with. */
  private useToken(token: string): void {
    this.token = token;
    for (const [session, { cursor }] of [...this.streams]) void this.attach(session, cursor, () => undefined);
  }

  /** A refusal is the answer; whatever else ends a stream ends the connection, which is then made again. */
  private async whileWanted(
    stream: Stream,
    refuse: (problem: Problem) => void,
    act: () => Promise<void>,
  ): Promise<void> {
    try {
      await act();
      if (!stream.ended.signal.aborted) this.close(null);
    } catch (error) {
      if (stream.ended.signal.aborted) return;
      const isRefusal = error instanceof ApiError && typeof error.problem['code'] === 'string';
      if (isRefusal) refuse(error.problem as unknown as Problem);
      else this.close(null);
    }
  }

  private open(session: string, { cursor, ended }: Stream): Promise<ReadableStream<Uint8Array>> {
    const headers = { 'x-client-id': this.clientId, 'x-client-presence': 'present' };
    return openEvents(
      { baseUrl: this.baseUrl, tokens: fixedToken(this.token), headers },
      session,
      cursor,
      ended.signal,
    );
  }

  private async read(session: string, stream: Stream, body: ReadableStream<Uint8Array>): Promise<void> {
    const heldBack = setTimeout(() => void this.poll(session, stream), HELD_BACK_MS);
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(heldBack);
      clearTimeout(silence);
      silence = setTimeout(() => this.close(null), SILENCE_MS);
    };
    try {
      for await (const { event, data, id } of readSse(body, heard)) {
        if (stream.ended.signal.aborted) return;
        if (id !== null) this.deliver(session, stream, [JSON.parse(data) as SessionEvent]);
        else if (event === 'token-expiring') this.say('token:expiring', JSON.parse(data) as { expiresAt: string });
        else if (event === 'token-expired') return this.close('UNAUTHENTICATED');
        else if (event === 'session-closed') return this.closeSession(session);
      }
    } finally {
      clearTimeout(heldBack);
      clearTimeout(silence);
    }
  }

  /** The stream stays open beside it: by it the server knows that someone is there. */
  private async poll(session: string, stream: Stream): Promise<void> {
    this.isPolling.set(true);
    await this.whileWanted(
      stream,
      () => this.close(null),
      async () => {
        while (!stream.ended.signal.aborted) {
          const params = { path: { sessionId: session }, query: { after: stream.cursor } };
          const { data } = await answerOf(this.api().GET('/v1/sessions/{sessionId}/events', { params }));
          if (data.length > 0) this.deliver(session, stream, data as unknown as SessionEvent[]);
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      },
    );
  }

  private deliver(session: string, stream: Stream, received: SessionEvent[]): void {
    const events = (received as unknown as Envelope[]).filter(({ id }) => id > stream.cursor);
    const through = events.at(-1)?.id;
    if (through === undefined || stream.ended.signal.aborted) return;
    stream.cursor = through;
    this.say('events', { session, events, through });
  }

  private closeSession(session: string): void {
    this.detach(session);
    const problem: Problem = {
      type: 'urn:chirality:problem:SESSION_NOT_FOUND',
      title: 'Session not found',
      status: 404,
      code: 'SESSION_NOT_FOUND',
      detail: 'There is no such session, or you may not see it. Check the id.',
      requestId: '',
    };
    this.say('session:closed', { session, problem });
  }

  private detach(session: string): void {
    this.streams.get(session)?.ended.abort();
    this.streams.delete(session);
  }

  private close(code: string | null): void {
    if (!this.connected) return;
    this.abandon();
    this.closed({ code });
  }

  private say<K extends keyof ServerToClientEvents>(name: K, message: Parameters<ServerToClientEvents[K]>[0]): void {
    (this.handlers.get(name) as ((message: unknown) => void) | undefined)?.(message);
  }

  private api() {
    const headers = { accept: 'application/json', 'x-client-id': this.clientId };
    return createApi({ baseUrl: this.baseUrl, headers, fetch: signedFetch(fixedToken(this.token), PROBE_MS) });
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof ApiError && error.status !== 0 ? error.code : null;
}
