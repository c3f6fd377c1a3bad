import type { Target, TurnOutcome } from './driver';
import { LIMIT_MS } from './event-log';
import { Refusal } from './refusal';

/** Requests in JSON with the target's token. */
export class RestCalls {
  constructor(private readonly target: Pick<Target, 'url' | 'token'>) {}

  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.target.url + path, {
      ...init,
      headers: { authorization: `Bearer ${this.target.token}`, ...init.headers },
    });
    if (!response.ok) throw Refusal.of(await response.json().catch(() => ({ detail: `HTTP ${response.status}` })));
    return response;
  }

  async call<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    const response = await this.open(path, {
      method,
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** Asks until the turn is in a final state. */
  async outcome(session: string, turn: string): Promise<TurnOutcome> {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const seen = await this.call<{ status: string; text: string | null; endedAt: string | null }>(
        'GET',
        `/v1/sessions/${session}/turns/${turn}`,
      );
      if (seen.endedAt !== null) return { status: seen.status, text: seen.text ?? '' };
      if (performance.now() > deadline) throw new Error(`turn ${turn} is still ${seen.status} after ${LIMIT_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

const POLL_MS = 100;
