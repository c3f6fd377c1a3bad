import type { Envelope, Permission, Project, Session, Turn } from '@chirality/contracts';
import { FINAL_TURN_STATUSES } from '@chirality/contracts';
import { waitFor } from '../wait-for';

export type Answer<T> = { status: number; body: T; headers: Headers };

/** A token that ends sooner is replaced first: a suite of many tests takes longer than one is good for. */
const RENEW_BEFORE_MS = 120_000;

/** A person at the REST interface. `call` never throws for an HTTP status; the other methods do. */
export class TestClient {
  private current = '';
  private signingIn: Promise<void> | null = null;

  private constructor(
    readonly baseUrl: string,
    private readonly credentials: { email: string; password: string },
  ) {}

  static async login(baseUrl: string, email: string, password: string): Promise<TestClient> {
    const client = new TestClient(baseUrl, { email, password });
    await client.signIn();
    return client;
  }

  /** For what is not called here, such as a socket. Renewed by the calls. */
  get token(): string {
    return this.current;
  }

  /** A token that was issued just now, for a socket whose own is about to expire. */
  async renewedToken(): Promise<string> {
    this.signingIn ??= this.signIn().finally(() => (this.signingIn = null));
    await this.signingIn;
    return this.current;
  }

  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    if (endsAt(this.current) - Date.now() < RENEW_BEFORE_MS) await this.renewedToken();
    return this.fetch<T>(method, path, body, headers);
  }

  private async signIn(): Promise<void> {
    const answer = await this.fetch<{ accessToken: string }>('POST', '/v1/auth/login', this.credentials, {});
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`login: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.current = answer.body.accessToken;
  }

  private async fetch<T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer<T>> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.current ? { authorization: `Bearer ${this.current}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseBody(text) as T };
  }

  async createProject(name = 'Demo'): Promise<Project> {
    return this.created<Project>('/v1/projects', { name, source: { kind: 'empty' } });
  }

  async createSession(projectId: string, more: Record<string, unknown> = {}): Promise<Session> {
    return this.created<Session>('/v1/sessions', { projectId, ...more });
  }

  async send(
    sessionId: string,
    message: string,
    options?: Record<string, unknown>,
    outputSchema?: Record<string, unknown>,
  ): Promise<Turn> {
    return (
      await this.created<{ turn: Turn }>(`/v1/sessions/${sessionId}/turns`, {
        message,
        ...(options ? { options } : {}),
        ...(outputSchema ? { outputSchema } : {}),
      })
    ).turn;
  }

  async turn(sessionId: string, turnId: string): Promise<Turn> {
    return this.read<Turn>(`/v1/sessions/${sessionId}/turns/${turnId}`);
  }

  async session(sessionId: string): Promise<Session> {
    return this.read<Session>(`/v1/sessions/${sessionId}`);
  }

  async interrupt(sessionId: string): Promise<Answer<unknown>> {
    return this.call('POST', `/v1/sessions/${sessionId}/interrupt`);
  }

  async permissions(sessionId: string): Promise<Permission[]> {
    return (await this.read<{ data: Permission[] }>(`/v1/sessions/${sessionId}/permissions`)).data;
  }

  /** The whole log of a session, page by page. */
  async events(sessionId: string): Promise<Envelope[]> {
    const all: Envelope[] = [];
    for (;;) {
      const page = (await this.read<{ data: Envelope[] }>(`/v1/sessions/${sessionId}/events?after=${all.length}`)).data;
      if (page.length === 0) return all;
      all.push(...page);
    }
  }

  async waitForStatus(
    sessionId: string,
    turnId: string,
    statuses: readonly string[],
    timeoutMs = 30_000,
  ): Promise<Turn> {
    let turn: Turn | null = null;
    await waitFor(
      async () => {
        const answer = await this.call<Turn>('GET', `/v1/sessions/${sessionId}/turns/${turnId}`).catch(() => null);
        if (answer?.status !== 200) return false;
        turn = answer.body;
        return statuses.includes(turn.status);
      },
      { what: `turn ${turnId} becomes ${statuses.join(' or ')}`, timeoutMs, everyMs: 30 },
    ).catch((error: Error) => {
      throw new Error(`${error.message}; last seen: ${JSON.stringify(turn)}`);
    });
    return turn as unknown as Turn;
  }

  waitForEnd(sessionId: string, turnId: string, timeoutMs = 30_000): Promise<Turn> {
    return this.waitForStatus(sessionId, turnId, FINAL_TURN_STATUSES, timeoutMs);
  }

  private async created<T>(path: string, body: unknown): Promise<T> {
    const answer = await this.call<T>('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  private async read<T>(path: string): Promise<T> {
    const answer = await this.call<T>('GET', path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** When a JSON Web Token ends, in milliseconds since 1970. */
function endsAt(token: string): number {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims || '{"exp":0}') as { exp: number }).exp * 1_000;
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
