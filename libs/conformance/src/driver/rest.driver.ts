import type { Envelope } from '@chirality/contracts';
import type { Decision, Driver, Following, Target, TurnOutcome } from './driver';
import { EventLog } from './event-log';
import { RestCalls } from './rest-calls';
import { serverSentEvents } from './server-sent-events';

/** REST for acts, server-sent events for what comes of them. */
export class RestDriver implements Driver {
  readonly transport: Driver['transport'] = 'rest';
  readonly answersAsPerson = true;
  protected readonly rest: RestCalls;
  private readonly followings = new Set<Following>();

  constructor(protected readonly target: Target) {
    this.rest = new RestCalls(target);
  }

  async hello(): Promise<string> {
    return (await this.rest.call<{ protocolVersion: string }>('GET', '/v1/handshake')).protocolVersion;
  }

  async createSession(): Promise<string> {
    return (await this.rest.call<{ id: string }>('POST', '/v1/sessions', { projectId: this.target.projectId })).id;
  }

  async endSession(session: string): Promise<void> {
    await this.rest.call('DELETE', `/v1/sessions/${session}`);
  }

  async send(session: string, message: string): Promise<string> {
    const answer = await this.rest.call<{ turn: { id: string } }>('POST', `/v1/sessions/${session}/turns`, { message });
    return answer.turn.id;
  }

  outcome(session: string, turn: string): Promise<TurnOutcome> {
    return this.rest.outcome(session, turn);
  }

  async interrupt(session: string): Promise<void> {
    await this.rest.call('POST', `/v1/sessions/${session}/interrupt`);
  }

  async answer(session: string, permissionId: string, decision: Decision): Promise<void> {
    await this.rest.call('POST', `/v1/sessions/${session}/permissions/${permissionId}`, { decision });
  }

  async follow(session: string, after: number): Promise<Following> {
    const abort = new AbortController();
    const response = await this.rest.open(`/v1/sessions/${session}/events`, {
      signal: abort.signal,
      headers: { accept: 'text/event-stream', ...(after > 0 ? { 'last-event-id': String(after) } : {}) },
    });
    const log = new EventLog(() => abort.abort());
    this.followings.add(log);
    void readInto(log, response).finally(() => this.followings.delete(log));
    return log;
  }

  async close(): Promise<void> {
    for (const following of this.followings) await following.close();
  }
}

async function readInto(log: EventLog, response: Response): Promise<void> {
  let last = 'closed';
  try {
    for await (const { id, event, data } of serverSentEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
      if (id === '') last = event;
      else log.push([JSON.parse(data) as Envelope]);
    }
    log.end(last);
  } catch (error) {
    log.end(error instanceof Error ? error.message : String(error));
  }
}
