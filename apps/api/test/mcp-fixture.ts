import type { CreatedToken, Session } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { McpTestClient } from './mcp-client';

/** What a call that waits answers, as far as the specs look at it. */
export type RunResult = {
  status: string;
  text: string;
  turns: number;
  toolsUsed: string[];
  costUsd: string | null;
  turnId: string;
};

/**
 * Two api nodes with an MCP server each, an agent that is connected to the first, and the hand that works its turns.
 */
export class McpServer {
  owner!: ApiClient;
  teamId!: string;
  projectId!: string;
  token!: string;
  mcp!: McpTestClient;
  private readonly clients: McpTestClient[] = [];

  private constructor(
    readonly api: ApiHarness,
    readonly other: ApiClient,
  ) {}

  static async start(): Promise<McpServer> {
    const api = await ApiHarness.start({ env: { CHIRALITY_PUBLIC_URL: 'http://127.0.0.1:3000' } });
    const server = new McpServer(api, await api.startNode());
    server.owner = await api.client.login();
    server.teamId = (await server.owner.team()).id;
    server.projectId = (await server.owner.createProject('Here')).id;
    server.token = await server.tokenOf({});
    server.mcp = await server.connect();
    return server;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) await client.close();
    await this.api.stop();
  }

  async tokenOf(more: object): Promise<string> {
    const body = { name: 'Outer', teamId: this.teamId, identityClass: 'agent', ...more };
    return ((await this.owner.post('/v1/tokens', body).expect(201)).body as CreatedToken).secret;
  }

  async connect(
    url = this.api.url,
    options: Parameters<typeof McpTestClient.connect>[2] = {},
    value = this.token,
  ): Promise<McpTestClient> {
    const client = await McpTestClient.connect(url, value, options);
    this.clients.push(client);
    return client;
  }

  async create(): Promise<Session> {
    return (await this.mcp.call<{ session: Session }>('create_session', { title: 'Inner' })).session;
  }

  /** Takes the session's turn, as a worker does; what it says and how it ends is the caller's. */
  async work(sessionId: string): Promise<ClaimedTurn> {
    await waitFor(async () => (await this.owner.get(`/v1/sessions/${sessionId}`)).body.activeTurnId !== null, {
      what: 'the turn is accepted',
    });
    const turn = await this.api.worker.claimOf(sessionId);
    await this.api.worker.become(turn, 'spawned');
    return turn;
  }

  useTool(turn: ClaimedTurn, name: string, input: object = {}) {
    return this.api.worker.append(turn, 'tool:start', { toolUseId: newId('client'), name, input, mutating: true });
  }

  async isInterrupted({ id }: ClaimedTurn): Promise<boolean> {
    const { rowCount } = await this.api.worker.database.pool.query(
      'SELECT 1 FROM turn WHERE id = $1 AND interrupt_requested_at IS NOT NULL',
      [id],
    );
    return rowCount === 1;
  }

  /** What the official client sends beside a message, for requests that it would not make. */
  headersOf(client: McpTestClient, value: string) {
    return {
      authorization: `Bearer ${value}`,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': String(client.transport.sessionId),
    };
  }

  post(body: object, client = this.mcp, value = this.token) {
    return request(this.api.url).post('/mcp').set(this.headersOf(client, value)).send(body);
  }

  /** Continues the call with that id at the other node, from its begin. */
  resume(id: string, client = this.mcp, value = this.token) {
    const lastEventId = `c.${Buffer.from(JSON.stringify(id)).toString('base64url')}.0`;
    return request(this.other.url)
      .get('/mcp')
      .set({ ...this.headersOf(client, value), accept: 'text/event-stream', 'last-event-id': lastEventId });
  }
}

/** A call as the official client writes it, with an id of the test's choice. */
export function runCall(id: string, sessionId: string) {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'run_agent_with_shell_access', arguments: { sessionId, message: 'hi', wait: false } },
  };
}
