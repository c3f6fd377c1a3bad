import type { CreateSession, LoginResponse, Project, Session, Team, Turn } from '@chirality/contracts';
import { createHash } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import request, { type Response, type Test } from 'supertest';
import { OWNER } from './api-harness';
import { LiveClient } from './live-client';

/** A person at the api: requests carry their token. */
export class ApiClient {
  token: string | null = null;
  user!: LoginResponse['user'];
  cookie: string | null = null;

  constructor(readonly url: string) {}

  get(path: string): Test {
    return this.signed(request(this.url).get(path));
  }

  post(path: string, body?: object): Test {
    return this.signed(request(this.url).post(path)).send(body);
  }

  patch(path: string, body: object): Test {
    return this.signed(request(this.url).patch(path)).send(body);
  }

  put(path: string, body: object): Test {
    return this.signed(request(this.url).put(path)).send(body);
  }

  delete(path: string): Test {
    return this.signed(request(this.url).delete(path));
  }

  send(method: string, path: string, body?: object): Test {
    const agent = request(this.url);
    return this.signed(agent[method as 'get'](path)).send(body);
  }

  async login(credentials: { email: string; password: string } = OWNER): Promise<this> {
    const response = await request(this.url).post('/v1/auth/login').send(credentials);
    if (response.status !== 200) throw new Error(`login answered ${response.status} ${response.text}`);
    return this.adopt(response);
  }

  adopt(response: Response): this {
    const body = response.body as LoginResponse;
    this.token = body.accessToken;
    this.user = body.user;
    this.cookie = cookieOf(response);
    return this;
  }

  async team(): Promise<Team> {
    const response = await this.get('/v1/teams').expect(200);
    return (response.body as { data: Team[] }).data[0] as Team;
  }

  async createProject(name = 'Project', teamId?: string): Promise<Project> {
    return (await this.post('/v1/projects', { name, ...(teamId ? { teamId } : {}) }).expect(201)).body as Project;
  }

  async createSession(projectId: string, more: Partial<CreateSession> = {}): Promise<Session> {
    return (await this.post('/v1/sessions', { projectId, title: 'Session', ...more }).expect(201)).body as Session;
  }

  async sendTurn(sessionId: string, message = 'hello', headers: Record<string, string> = {}): Promise<Turn> {
    const response = await this.post(`/v1/sessions/${sessionId}/turns`, { message }).set(headers).expect(202);
    return (response.body as { turn: Turn }).turn;
  }

  /** Invites a user into a team and signs them in. */
  async invite(teamId: string, email: string, role: 'admin' | 'member' | 'viewer'): Promise<ApiClient> {
    const { body } = await this.post(`/v1/teams/${teamId}/invitations`, { email, role }).expect(201);
    const accepted = await request(this.url)
      .post(`/v1/invitations/${(body as { token: string }).token}/accept`)
      .send({ name: email.split('@')[0], password: passwordOf(email) })
      .expect(200);
    return new ApiClient(this.url).adopt(accepted);
  }

  /** A connection of this person; not yet opened. */
  socket(options: { token?: string; origin?: string; host?: string } = {}): Socket {
    const headers: Record<string, string> = {};
    if (options.origin !== undefined) headers['origin'] = options.origin;
    if (options.host !== undefined) headers['host'] = options.host;
    return io(this.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      autoConnect: false,
      auth: { token: options.token ?? this.token, clientId: 'test-client' },
      extraHeaders: headers,
    });
  }

  async live(): Promise<LiveClient> {
    return LiveClient.open(this.socket());
  }

  private signed(test: Test): Test {
    return this.token === null ? test : test.set('authorization', `Bearer ${this.token}`);
  }
}

/** The password of a person whom `invite` made. */
export function passwordOf(email: string): string {
  return `lantern ${createHash('sha256').update(email).digest('hex').slice(0, 16)}`;
}

/** The refresh cookie that an answer sets, as a request sends it back. */
export function cookieOf(response: Response): string | null {
  const cookies = response.get('Set-Cookie') ?? [];
  return cookies.find((one) => one.startsWith('chirality_refresh='))?.split(';')[0] ?? null;
}
