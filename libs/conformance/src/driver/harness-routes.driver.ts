import type { Driver, Target, TurnOutcome, UiEvent } from './driver';
import { RestCalls } from './rest-calls';
import { serverSentEvents } from './server-sent-events';

/** The routes of the earlier harness: a turn is the stream that its sending answers with, and has no other name. */
export class HarnessRoutesDriver implements Driver {
  readonly transport = 'harness-routes';
  private readonly rest: RestCalls;
  private readonly running = new Map<string, Promise<UiEvent[]>>();
  private readonly leaving = new AbortController();
  private lastTurn = 0;

  constructor(private readonly target: Target) {
    this.rest = new RestCalls(target);
  }

  async createSession(): Promise<string> {
    const { session } = await this.rest.call<{ session: { id: string } }>('POST', '/api/harness/session/create', {
      projectId: this.target.projectId,
    });
    return session.id;
  }

  async endSession(session: string): Promise<void> {
    await this.rest.call('DELETE', `/api/harness/session/${session}`);
  }

  async send(session: string, message: string): Promise<string> {
    const response = await this.rest.open('/api/harness/turn', {
      method: 'POST',
      signal: this.leaving.signal,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ sessionId: session, message }),
    });
    const turn = String((this.lastTurn += 1));
    const events = readAll(response);
    events.catch(() => undefined);
    this.running.set(turn, events);
    return turn;
  }

  /**
   * The earlier harness names an end by what comes last before `process:exit`; an interrupted turn is an error there.
   */
  async outcome(_session: string, turn: string): Promise<TurnOutcome> {
    const events = (await this.running.get(turn)) ?? [];
    const failure = events.find(({ type }) => type === 'session:error');
    const text = events
      .filter(({ type }) => type === 'chat:complete')
      .map((event) => String(event['text']))
      .join('');
    const code = typeof failure?.['code'] === 'string' ? failure['code'].toLowerCase() : 'failed';
    return { status: failure ? code : 'completed', text };
  }

  async interrupt(session: string): Promise<void> {
    await this.rest.call('POST', '/api/harness/interrupt', { sessionId: session });
  }

  async uiTurn(session: string, message: string): Promise<UiEvent[]> {
    return (await this.running.get(await this.send(session, message))) ?? [];
  }

  async close(): Promise<void> {
    this.leaving.abort();
  }
}

async function readAll(response: Response): Promise<UiEvent[]> {
  const events: UiEvent[] = [];
  for await (const { data } of serverSentEvents(response.body as unknown as AsyncIterable<Uint8Array>))
    if (data !== '') events.push(JSON.parse(data) as UiEvent);
  return events;
}
