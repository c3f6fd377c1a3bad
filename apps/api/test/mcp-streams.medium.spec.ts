import type { CreatedToken, Envelope, Page } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import { McpServer, runCall, type RunResult } from './mcp-fixture';

jest.setTimeout(60_000);

describe('calls and streams at /mcp', () => {
  let server: McpServer;

  beforeAll(async () => {
    server = await McpServer.start();
  });
  afterAll(() => server?.stop());

  it('interrupts the turn of a call that the client cancels, on whichever node', async () => {
    const there = await server.connect(server.other.url);
    const session = await server.create();
    const leaving = new AbortController();
    const running = there.attempt(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { signal: leaving.signal },
    );
    const turn = await server.work(session.id);
    leaving.abort('enough');
    await expect(running).rejects.toThrow('enough');
    await waitFor(() => server.isInterrupted(turn), { what: 'the turn is to be interrupted' });
    await server.api.worker.settle(turn, 'interrupt');
  });

  it('continues a call whose connection broke, on another node, by the last event that was read', async () => {
    let cut: (() => void) | null = null;
    const asked: string[] = [];
    const fetchThrough = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
      const to = new URL(String(url));
      const resumesAt = new Headers(init.headers).get('last-event-id');
      if (resumesAt !== null) {
        asked.push(resumesAt);
        to.port = new URL(server.other.url).port;
      }
      const breaking = new AbortController();
      const isCall = typeof init.body === 'string' && init.body.includes('run_agent_with_shell_access');
      if (isCall) cut = () => breaking.abort();
      return fetch(to, { ...init, ...(isCall ? { signal: breaking.signal } : {}) });
    };
    const broken = await server.connect(server.api.url, { fetch: fetchThrough });
    const session = await server.create();
    const messages: (string | undefined)[] = [];
    const running = broken.call<RunResult>(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { onprogress: ({ message }) => messages.push(message) },
    );
    const turn = await server.work(session.id);
    await server.useTool(turn, 'Bash', { command: 'before' });
    await waitFor(() => messages.includes('Bash before'), { what: 'progress is said' });
    (cut as unknown as () => void)();
    await waitFor(() => asked.length > 0, { what: 'the client is back' });
    await server.useTool(turn, 'Bash', { command: 'after' });
    await waitFor(() => messages.includes('Bash after'), { what: 'progress is said by the other node' });
    await server.api.worker.settle(turn);
    expect(await running).toMatchObject({ status: 'completed', turnId: turn.id, toolCalls: 2 });
    expect(messages.filter((message) => message === 'Bash before')).toHaveLength(1);
  });

  it('begins a turn once for a request that is sent again', async () => {
    const session = await server.create();
    const headers = {
      authorization: `Bearer ${server.token}`,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': String(server.mcp.transport.sessionId),
    };
    const body = {
      jsonrpc: '2.0',
      id: 'once',
      method: 'tools/call',
      params: { name: 'run_agent_with_shell_access', arguments: { sessionId: session.id, message: 'hi', wait: false } },
    };
    const sent = await Promise.all(
      [server.api.url, server.other.url].map((url) => request(url).post('/mcp').set(headers).send(body)),
    );
    expect(sent.map(({ text }) => /"turnId":"(\w+)"/.exec(text)?.[1])).toEqual(
      Array(2).fill(expect.stringMatching(/^turn_/)),
    );
    expect(new Set(sent.map(({ text }) => /"turnId":"(\w+)"/.exec(text)?.[1])).size).toBe(1);
    const turn = await server.work(session.id);
    await server.api.worker.settle(turn);
  });

  it('announces what a watched session says, also what was subscribed to elsewhere, until it is detached', async () => {
    const session = await server.create();
    const { resource } = await server.mcp.call<{ resource: string }>('attach_session', { sessionId: session.id });
    expect(resource).toBe(`chirality://v1/session/${session.id}/events`);
    await server.mcp.client.subscribeResource({ uri: 'chirality://v1/sessions' });
    await server.mcp.call('run_agent_with_shell_access', { sessionId: session.id, message: 'hello', wait: false });
    await waitFor(
      () => server.mcp.updated.includes(resource) && server.mcp.updated.includes('chirality://v1/sessions'),
      {
        what: 'both are announced',
      },
    );
    const turn = await server.work(session.id);
    type Events = { data: Envelope[]; through: number; more: boolean };
    const { data, through } = await server.mcp.readJson<Events>(resource);
    expect(data.map(({ kind }) => kind)).toContain('turn:queued');
    await server.useTool(turn, 'Bash');
    const later = await server.mcp.readJson<Events>(`${resource}?since=${through}`);
    expect(later.data.map(({ kind }) => kind)).toContain('tool:start');
    await server.mcp.call('detach_session', { sessionId: session.id });
    await server.mcp.client.unsubscribeResource({ uri: 'chirality://v1/sessions' });
    await server.api.worker.settle(turn);
  });

  it('refuses ids and progress tokens of more than 200 characters, and continues calls of 200', async () => {
    const long = 'x'.repeat(201);
    const list = { jsonrpc: '2.0', method: 'tools/list' };
    for (const body of [
      { ...list, id: long },
      { ...list, id: 1, params: { _meta: { progressToken: long } } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: long } },
      { jsonrpc: '2.0', id: long, method: 'initialize', params: {} },
    ]) {
      const refused = await server.post(body).expect(400);
      expect(refused.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      expect(refused.text).not.toContain(long);
    }
    const session = await server.create();
    const fit = 'é'.repeat(200);
    await server
      .post({
        ...runCall(fit, session.id),
        params: { ...runCall(fit, session.id).params, _meta: { progressToken: fit } },
      })
      .expect(200);
    await server.api.worker.settle(await server.work(session.id));
    expect((await server.resume(fit).expect(200)).text).toContain('completed');
  });

  it('finds the turn of a call whose process died before it noted it, to continue and to cancel', async () => {
    const forgotten = async (id: string) => {
      const session = await server.create();
      await server.post(runCall(id, session.id)).expect(200);
      const turn = await server.work(session.id);
      await server.api.worker.database.pool.query('UPDATE mcp_call SET turn_id = NULL WHERE request_id = $1', [
        JSON.stringify(id),
      ]);
      return turn;
    };
    const continued = await forgotten('died');
    await server.api.worker.settle(continued);
    expect((await server.resume('died').expect(200)).text).toContain(continued.id);
    const cancelled = await forgotten('died again');
    await server
      .post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'died again' } })
      .expect(202);
    expect(await server.isInterrupted(cancelled)).toBe(true);
    await server.api.worker.settle(cancelled, 'interrupt');
  });

  it('cancels a turn that is accepted after its call was cancelled', async () => {
    const session = await server.create();
    await server.api.worker.database.pool.query(
      `INSERT INTO mcp_call (mcp_session_id, request_id, id, session_id, owns_turn, after_event_id)
       VALUES ($1, '"early"', 'early', $2, true, 0)`,
      [server.mcp.transport.sessionId, session.id],
    );
    await server
      .post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'early' } })
      .expect(202);
    await server.post(runCall('early', session.id)).expect(200);
    const { data } = (await server.owner.get(`/v1/sessions/${session.id}/turns`).expect(200)).body as Page<{
      status: string;
    }>;
    expect(data.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('opens so many streams for one person, also where they come all at once', async () => {
    const crowd = await server.owner.invite(server.teamId, 'crowd@example.org', 'member');
    const { secret } = (
      await crowd.post('/v1/tokens', { name: 'Crowd', teamId: server.teamId, identityClass: 'agent' }).expect(201)
    ).body as CreatedToken;
    const client = await server.connect(server.api.url, {}, secret);
    const leaving = new AbortController();
    const headers = { ...server.headersOf(client, secret), accept: 'text/event-stream' };
    const open = () => fetch(`${server.api.url}/mcp`, { headers, signal: leaving.signal });
    try {
      const statuses = (await Promise.all(Array.from({ length: 105 }, open))).map(({ status }) => status);
      // The client itself has one.
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(100);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    } finally {
      leaving.abort();
    }
    await waitFor(
      async () => {
        const again = new AbortController();
        const { status } = await fetch(`${server.api.url}/mcp`, { headers, signal: again.signal });
        again.abort();
        return status === 200;
      },
      { what: 'places are free again' },
    );
  });
});
