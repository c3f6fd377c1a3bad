import type { AuditEntry, CreatedToken, Envelope, Page, Permission, Session } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { McpTestClient, textOf } from './mcp-client';

jest.setTimeout(60_000);

type Result = {
  status: string;
  text: string;
  turns: number;
  toolsUsed: string[];
  costUsd: string | null;
  turnId: string;
};

describe('the MCP server', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let other: ApiClient;
  let teamId: string;
  let projectId: string;
  let token: string;
  let mcp: McpTestClient;
  const clients: McpTestClient[] = [];

  beforeAll(async () => {
    api = await ApiHarness.start({ env: { CHIRALITY_PUBLIC_URL: 'http://127.0.0.1:3000' } });
    other = await api.startNode();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    projectId = (await owner.createProject('Here')).id;
    token = await tokenOf({ identityClass: 'agent' });
    mcp = await connect();
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await api?.stop();
  });

  const tokenOf = async (more: object): Promise<string> =>
    (
      (await owner.post('/v1/tokens', { name: 'Outer', teamId, identityClass: 'agent', ...more }).expect(201))
        .body as CreatedToken
    ).secret;
  const connect = async (url = api.url, options: Parameters<typeof McpTestClient.connect>[2] = {}, value = token) => {
    const client = await McpTestClient.connect(url, value, options);
    clients.push(client);
    return client;
  };
  const create = async () => (await mcp.call<{ session: Session }>('create_session', { title: 'Inner' })).session;
  /** Plays a turn as a worker does, up to its end. */
  const work = async (sessionId: string): Promise<ClaimedTurn> => {
    await waitFor(async () => (await owner.get(`/v1/sessions/${sessionId}`)).body.activeTurnId !== null, {
      what: 'the turn is accepted',
    });
    const turn = await api.worker.claimOf(sessionId);
    await api.worker.become(turn, 'spawned');
    return turn;
  };
  const useTool = (turn: ClaimedTurn, name: string, input: object = {}) =>
    api.worker.append(turn, 'tool:start', { toolUseId: newId('client'), name, input, mutating: true });

  it('asks for a token and says where one is to be had', async () => {
    const answer = await request(api.url).post('/mcp').send({ jsonrpc: '2.0', id: 1, method: 'ping' }).expect(401);
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"`,
    );
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
      expect((await request(api.url).get(path).expect(200)).body).toMatchObject({
        resource: 'http://127.0.0.1:3000/mcp',
        bearer_methods_supported: ['header'],
      });
  });

  it('refuses pages of other origins, foreign hosts, batches and what is no message', async () => {
    const post = (body: object, headers: Record<string, string> = {}) =>
      request(api.url)
        .post('/mcp')
        .set({ authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', ...headers })
        .send(body);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await post(ping, { origin: 'https://evil.example' }).expect(403);
    await post(ping, { host: 'rebound.example' }).expect(403);
    expect((await post([ping]).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    await post(ping).expect(400);
    await post(ping, { 'mcp-session-id': 'x'.repeat(32) }).expect(404);
    await post({ hello: true }, { 'mcp-session-id': String(mcp.transport.sessionId) }).expect(400);
    const huge = { jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'x'.repeat(27 * 1024 * 1024) } };
    await post(huge).expect(413);
  });

  it('has the tools by name, each with what it does and what it hands over', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'create_session',
      'list_sessions',
      'attach_session',
      'detach_session',
      'run_agent_with_shell_access',
      'wait_for_turn',
      'cancel_turn',
      'answer_permission',
      'set_model',
      'enter_plan_mode',
      'exit_plan_mode',
      'end_session',
    ]);
    const run = tools.find(({ name }) => name === 'run_agent_with_shell_access');
    expect(run?.description).toMatch(/shell commands.*spends money/);
    expect(run?.annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
    expect(mcp.client.getServerVersion()).toMatchObject({ name: 'chirality' });
  });

  it('creates sessions of an agent, lists them, sets model and plan mode beside what there is, and ends them', async () => {
    const session = await create();
    expect((await owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({
      startedBy: { identityClass: 'agent', tokenName: 'Outer' },
    });
    const listed = await mcp.call<{ sessions: Session[]; projects: object[] }>('list_sessions');
    expect(listed.sessions.map(({ id }) => id)).toEqual([session.id]);
    expect(listed.projects).toEqual([{ id: projectId, name: 'Here' }]);
    await owner.patch(`/v1/sessions/${session.id}`, { options: { maxTurns: 7 } }).expect(200);
    await mcp.call('set_model', { sessionId: session.id, model: 'haiku' });
    await mcp.call('enter_plan_mode', { sessionId: session.id });
    const optionsNow = async () => ((await owner.get(`/v1/sessions/${session.id}`)).body as Session).options;
    expect(await optionsNow()).toEqual({ maxTurns: 7, model: 'haiku', permissionMode: 'plan' });
    await mcp.call('exit_plan_mode', { sessionId: session.id });
    expect((await optionsNow()).permissionMode).toBe('default');
    await mcp.call('end_session', { sessionId: session.id });
    expect((await mcp.call<{ sessions: Session[] }>('list_sessions')).sessions).toEqual([]);
  });

  it('runs a turn, says its progress, and answers text, cost, turns and tools', async () => {
    const session = await create();
    const progress: { progress: number; message?: string | undefined }[] = [];
    const running = mcp.call<Result>(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { onprogress: (each) => progress.push(each) },
    );
    const turn = await work(session.id);
    await useTool(turn, 'Bash', { command: 'npm test' });
    await waitFor(() => progress.some(({ message }) => message === 'Bash npm test'), { what: 'progress is said' });
    await useTool(turn, 'Read');
    await useTool(turn, 'Bash');
    await api.worker.settle(turn);
    expect(await running).toEqual({
      sessionId: session.id,
      turnId: turn.id,
      status: 'completed',
      text: 'done',
      error: null,
      costUsd: expect.stringMatching(/^0/),
      turns: expect.any(Number),
      toolsUsed: ['Bash', 'Read'],
      toolCalls: 3,
      page: `http://127.0.0.1:3000/sessions/${session.id}`,
    });
    const said = progress.map((each) => each.progress);
    expect(said).toEqual([...said].sort((a, b) => a - b));
    expect(await mcp.call<Result>('wait_for_turn', { sessionId: session.id })).toMatchObject({ turnId: turn.id });
  });

  it('does not wait where that is not wanted, waits later, for so long, and interrupts', async () => {
    const session = await create();
    const begun = await mcp.call<Result>('run_agent_with_shell_access', {
      sessionId: session.id,
      message: 'hello',
      wait: false,
    });
    expect(begun.status).toBe('queued');
    const turn = await work(session.id);
    expect(
      await mcp.call<Result>('wait_for_turn', { sessionId: session.id, turnId: turn.id, timeoutSeconds: 1 }),
    ).toMatchObject({ status: 'running', turnId: turn.id });
    const second = await mcp.attempt('run_agent_with_shell_access', { sessionId: session.id, message: 'again' });
    expect([second.isError, textOf(second)]).toEqual([true, expect.stringMatching(/^TURN_IN_PROGRESS \(409\)/)]);
    const waiting = mcp.call<Result>('wait_for_turn', { sessionId: session.id });
    await mcp.call('cancel_turn', { sessionId: session.id });
    await api.worker.settle(turn, 'interrupt');
    expect(await waiting).toMatchObject({ status: 'interrupted' });
  });

  it('interrupts the turn of a call that the client cancels, on whichever node', async () => {
    const there = await connect(other.url);
    const session = await create();
    const leaving = new AbortController();
    const running = there.attempt(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { signal: leaving.signal },
    );
    const turn = await work(session.id);
    leaving.abort('enough');
    await expect(running).rejects.toThrow('enough');
    await waitFor(() => isInterrupted(turn), { what: 'the turn is to be interrupted' });
    await api.worker.settle(turn, 'interrupt');
  });
  const isInterrupted = async (turn: ClaimedTurn) =>
    (
      await api.worker.database.pool.query('SELECT 1 FROM turn WHERE id = $1 AND interrupt_requested_at IS NOT NULL', [
        turn.id,
      ])
    ).rowCount === 1;

  it('continues a call whose connection broke, on another node, by the last event that was read', async () => {
    let cut: (() => void) | null = null;
    const asked: string[] = [];
    const fetchThrough = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
      const to = new URL(String(url));
      const resumesAt = new Headers(init.headers).get('last-event-id');
      if (resumesAt !== null) {
        asked.push(resumesAt);
        to.port = new URL(other.url).port;
      }
      const breaking = new AbortController();
      const isCall = typeof init.body === 'string' && init.body.includes('run_agent_with_shell_access');
      if (isCall) cut = () => breaking.abort();
      return fetch(to, { ...init, ...(isCall ? { signal: breaking.signal } : {}) });
    };
    const broken = await connect(api.url, { fetch: fetchThrough });
    const session = await create();
    const messages: (string | undefined)[] = [];
    const running = broken.call<Result>(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { onprogress: ({ message }) => messages.push(message) },
    );
    const turn = await work(session.id);
    await useTool(turn, 'Bash', { command: 'before' });
    await waitFor(() => messages.includes('Bash before'), { what: 'progress is said' });
    (cut as unknown as () => void)();
    await waitFor(() => asked.length > 0, { what: 'the client is back' });
    await useTool(turn, 'Bash', { command: 'after' });
    await waitFor(() => messages.includes('Bash after'), { what: 'progress is said by the other node' });
    await api.worker.settle(turn);
    expect(await running).toMatchObject({ status: 'completed', turnId: turn.id, toolCalls: 2 });
    expect(messages.filter((message) => message === 'Bash before')).toHaveLength(1);
  });

  it('begins a turn once for a request that is sent again', async () => {
    const session = await create();
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': String(mcp.transport.sessionId),
    };
    const body = {
      jsonrpc: '2.0',
      id: 'once',
      method: 'tools/call',
      params: { name: 'run_agent_with_shell_access', arguments: { sessionId: session.id, message: 'hi', wait: false } },
    };
    const sent = await Promise.all(
      [api.url, other.url].map((url) => request(url).post('/mcp').set(headers).send(body)),
    );
    expect(sent.map(({ text }) => /"turnId":"(\w+)"/.exec(text)?.[1])).toEqual(
      Array(2).fill(expect.stringMatching(/^turn_/)),
    );
    expect(new Set(sent.map(({ text }) => /"turnId":"(\w+)"/.exec(text)?.[1])).size).toBe(1);
    const turn = await work(session.id);
    await api.worker.settle(turn);
  });

  it('announces what a watched session says, also what was subscribed to elsewhere, until it is detached', async () => {
    const session = await create();
    const { resource } = await mcp.call<{ resource: string }>('attach_session', { sessionId: session.id });
    expect(resource).toBe(`chirality://v1/session/${session.id}/events`);
    await mcp.client.subscribeResource({ uri: 'chirality://v1/sessions' });
    await mcp.call('run_agent_with_shell_access', { sessionId: session.id, message: 'hello', wait: false });
    await waitFor(() => mcp.updated.includes(resource) && mcp.updated.includes('chirality://v1/sessions'), {
      what: 'both are announced',
    });
    const turn = await work(session.id);
    type Events = { data: Envelope[]; through: number; more: boolean };
    const { data, through } = await mcp.readJson<Events>(resource);
    expect(data.map(({ kind }) => kind)).toContain('turn:queued');
    await useTool(turn, 'Bash');
    const later = await mcp.readJson<Events>(`${resource}?since=${through}`);
    expect(later.data.map(({ kind }) => kind)).toContain('tool:start');
    await mcp.call('detach_session', { sessionId: session.id });
    await mcp.client.unsubscribeResource({ uri: 'chirality://v1/sessions' });
    await api.worker.settle(turn);
  });

  it('has resources: sessions, one of them, its log, what runs here, and nothing that is not there', async () => {
    const session = await create();
    const { resources } = await mcp.client.listResources();
    expect(resources.slice(0, 3).map(({ uri }) => uri)).toEqual([
      'chirality://v1/sessions',
      'chirality://v1/harnesses',
      'chirality://v1/runtime',
    ]);
    expect(resources.map(({ uri }) => uri)).toContain(`chirality://v1/session/${session.id}`);
    expect((await mcp.client.listResourceTemplates()).resourceTemplates).toHaveLength(4);
    expect(await mcp.readJson<Session>(`chirality://v1/session/${session.id}`)).toMatchObject({ id: session.id });
    expect(await mcp.readJson<Page<Session>>('chirality://v1/sessions')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: session.id })]) as object,
    });
    expect(await mcp.readJson<object>('chirality://v1/runtime')).toMatchObject({ protocolVersion: expect.any(String) });
    expect(await mcp.readJson<Page<object>>('chirality://v1/harnesses')).toMatchObject({ nextCursor: null });
    const turn = await owner.sendTurn(session.id, 'hello there');
    expect(await mcp.read(`chirality://v1/session/${session.id}/log`)).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('hello there'),
    });
    await api.worker.settle(await api.worker.claimOf(session.id));
    expect(turn.id).toBeDefined();
    for (const uri of [
      'chirality://v1/profiles',
      'chirality://v1/skills',
      `chirality://v1/session/${newId('session')}`,
    ])
      await expect(mcp.read(uri)).rejects.toMatchObject({ code: -32002 });
  });

  it('has a person asked by a page, and answers nothing itself: the attempt is refused, audited and shown', async () => {
    const session = await create();
    const running = mcp.call<Result>('run_agent_with_shell_access', { sessionId: session.id, message: 'hello' });
    const turn = await work(session.id);
    const permissionId = newId('permission');
    await api.worker.become(
      turn,
      'permission_asked',
      [
        {
          kind: 'permission:request',
          turn: turn.id,
          originator: { system: true },
          payload: {
            permissionId,
            kind: 'tool',
            toolUseId: 'tool_1',
            tool: 'Bash',
            input: { command: 'make' },
            reason: 'rules',
            pattern: 'make',
          },
        },
      ],
      permissionOf(turn, permissionId),
    );
    await waitFor(() => mcp.asked.length > 0, { what: 'the client’s person is asked' });
    expect(mcp.asked[0]).toMatchObject({
      mode: 'url',
      elicitationId: permissionId,
      url: `http://127.0.0.1:3000/sessions/${session.id}`,
    });
    const pending = async () =>
      ((await owner.get(`/v1/sessions/${session.id}/permissions`).expect(200)).body as Page<Permission>).data[0];
    expect((await pending())?.status).toBe('pending');
    for (const value of [token, await tokenOf({ identityClass: 'human', name: 'Mine' })]) {
      const client = await connect(other.url, {}, value);
      const result = await client.attempt('answer_permission', {
        sessionId: session.id,
        permissionId,
        decision: 'allow_once',
      });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^AGENT_MAY_NOT_APPROVE \(403\)/)]);
    }
    expect((await pending())?.status).toBe('pending');
    const audit = (await owner.get(`/v1/audit?teamId=${teamId}&limit=50`).expect(200)).body as Page<AuditEntry>;
    expect(audit.data.filter(({ action }) => action === 'permission:agent-denied')).toHaveLength(2);
    await api.worker.settle(turn, 'interrupt');
    expect(await running).toMatchObject({ status: 'interrupted' });
  });

  it('is for each command what a token covers, and another team’s are not there', async () => {
    const session = await create();
    const reader = await connect(api.url, {}, await tokenOf({ commands: ['events:read', 'session:attach'] }));
    for (const [name, input] of [
      ['create_session', {}],
      ['run_agent_with_shell_access', { message: 'hi' }],
      ['cancel_turn', {}],
      ['set_model', { model: 'haiku' }],
      ['end_session', {}],
    ] as const)
      expect(textOf(await reader.attempt(name, { sessionId: session.id, ...input }))).toMatch(/^TOKEN_SCOPE \(403\)/);
    expect((await reader.call<{ session: Session }>('attach_session', { sessionId: session.id })).session.id).toBe(
      session.id,
    );

    const guest = await owner.invite(teamId, 'guest@example.org', 'member');
    const theirs = (await guest.post('/v1/teams', { name: 'Theirs' }).expect(201)).body as { id: string };
    const { secret } = (
      await guest.post('/v1/tokens', { name: 'Theirs', teamId: theirs.id, identityClass: 'agent' }).expect(201)
    ).body as CreatedToken;
    const stranger = await connect(api.url, {}, secret);
    const ids = [session.id, newId('session'), 'x'];
    for (const [name, input] of [
      ['attach_session', {}],
      ['detach_session', {}],
      ['run_agent_with_shell_access', { message: 'hi' }],
      ['wait_for_turn', {}],
      ['cancel_turn', {}],
      ['answer_permission', { permissionId: newId('permission'), decision: 'deny' }],
      ['set_model', { model: 'haiku' }],
      ['enter_plan_mode', {}],
      ['end_session', {}],
    ] as const) {
      const said = await Promise.all(
        ids.map(async (sessionId) => textOf(await stranger.attempt(name, { sessionId, ...input }))),
      );
      expect([name, ...new Set(said)]).toEqual([name, expect.stringMatching(/^SESSION_NOT_FOUND \(404\)/)]);
    }
    expect((await stranger.call<{ sessions: object[] }>('list_sessions')).sessions).toEqual([]);
    await expect(stranger.read(`chirality://v1/session/${session.id}/events`)).rejects.toMatchObject({ code: -32002 });
    const stolen = await request(api.url)
      .get('/mcp')
      .set({
        authorization: `Bearer ${secret}`,
        accept: 'text/event-stream',
        'mcp-session-id': String(mcp.transport.sessionId),
      });
    expect(stolen.status).toBe(404);
  });

  const headersOf = (client: McpTestClient, value: string) => ({
    authorization: `Bearer ${value}`,
    accept: 'application/json, text/event-stream',
    'mcp-session-id': String(client.transport.sessionId),
  });
  const post = (body: object, client = mcp, value = token) =>
    request(api.url).post('/mcp').set(headersOf(client, value)).send(body);
  const resume = (id: string, client = mcp, value = token) =>
    request(other.url)
      .get('/mcp')
      .set({ ...headersOf(client, value), accept: 'text/event-stream', 'last-event-id': resumeIdOf(id) });
  const resumeIdOf = (id: string) => `c.${Buffer.from(JSON.stringify(id)).toString('base64url')}.0`;
  const runCall = (id: string, sessionId: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'run_agent_with_shell_access', arguments: { sessionId, message: 'hi', wait: false } },
  });

  it('is bound to the token that began it: another of the same person finds nothing', async () => {
    const narrow = await tokenOf({ name: 'Narrow', commands: ['events:read'] });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await post(ping).expect(200);
    await post(ping, mcp, narrow).expect(404);
    await resume('any', mcp, narrow).expect(404);
    await request(api.url).delete('/mcp').set(headersOf(mcp, narrow)).expect(404);
  });

  it('shows a continued call nothing of a session that its person may no longer read', async () => {
    const session = await create();
    const sessionId = session.id;
    await owner.sendTurn(sessionId, 'hello');
    await api.worker.settle(await work(sessionId));
    const member = await owner.invite(teamId, 'reader@example.org', 'member');
    await owner.patch(`/v1/sessions/${sessionId}`, { visibility: 'project' }).expect(200);
    const { secret } = (await member.post('/v1/tokens', { name: 'Reads', teamId, identityClass: 'agent' }).expect(201))
      .body as CreatedToken;
    const reader = await connect(api.url, {}, secret);
    const wait = {
      jsonrpc: '2.0',
      id: 'waits',
      method: 'tools/call',
      params: { name: 'wait_for_turn', arguments: { sessionId } },
    };
    expect((await post(wait, reader, secret).expect(200)).text).toContain('completed');
    expect((await resume('waits', reader, secret).expect(200)).text).toContain('completed');
    await owner.patch(`/v1/sessions/${sessionId}`, { visibility: 'private' }).expect(200);
    const { text } = await resume('waits', reader, secret).expect(200);
    expect(text).toContain('SESSION_NOT_FOUND (404)');
    expect(text).not.toContain('completed');
    expect(text).not.toContain('costUsd');
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
      const refused = await post(body).expect(400);
      expect(refused.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      expect(refused.text).not.toContain(long);
    }
    const session = await create();
    const fit = 'é'.repeat(200);
    await post({
      ...runCall(fit, session.id),
      params: { ...runCall(fit, session.id).params, _meta: { progressToken: fit } },
    }).expect(200);
    await api.worker.settle(await work(session.id));
    expect((await resume(fit).expect(200)).text).toContain('completed');
  });

  it('finds the turn of a call whose process died before it noted it, to continue and to cancel', async () => {
    const forgotten = async (id: string) => {
      const session = await create();
      await post(runCall(id, session.id)).expect(200);
      const turn = await work(session.id);
      await api.worker.database.pool.query('UPDATE mcp_call SET turn_id = NULL WHERE request_id = $1', [
        JSON.stringify(id),
      ]);
      return turn;
    };
    const continued = await forgotten('died');
    await api.worker.settle(continued);
    expect((await resume('died').expect(200)).text).toContain(continued.id);
    const cancelled = await forgotten('died again');
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'died again' } }).expect(202);
    expect(await isInterrupted(cancelled)).toBe(true);
    await api.worker.settle(cancelled, 'interrupt');
  });

  it('cancels a turn that is accepted after its call was cancelled', async () => {
    const session = await create();
    await api.worker.database.pool.query(
      `INSERT INTO mcp_call (mcp_session_id, request_id, id, session_id, owns_turn, after_event_id)
       VALUES ($1, '"early"', 'early', $2, true, 0)`,
      [mcp.transport.sessionId, session.id],
    );
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'early' } }).expect(202);
    await post(runCall('early', session.id)).expect(200);
    const { data } = (await owner.get(`/v1/sessions/${session.id}/turns`).expect(200)).body as Page<{ status: string }>;
    expect(data.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('opens so many streams for one person, also where they come all at once', async () => {
    const crowd = await owner.invite(teamId, 'crowd@example.org', 'member');
    const { secret } = (await crowd.post('/v1/tokens', { name: 'Crowd', teamId, identityClass: 'agent' }).expect(201))
      .body as CreatedToken;
    const client = await connect(api.url, {}, secret);
    const leaving = new AbortController();
    const headers = { ...headersOf(client, secret), accept: 'text/event-stream' };
    const open = () => fetch(`${api.url}/mcp`, { headers, signal: leaving.signal });
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
        const { status } = await fetch(`${api.url}/mcp`, { headers, signal: again.signal });
        again.abort();
        return status === 200;
      },
      { what: 'places are free again' },
    );
  });

  it('records in the audit log what a token may not, of tools and of resources', async () => {
    const sender = await connect(api.url, {}, await tokenOf({ name: 'Sends', commands: ['turn:send'] }));
    const session = await create();
    await sender.attempt('cancel_turn', { sessionId: session.id });
    await expect(sender.read(`chirality://v1/session/${session.id}`)).rejects.toThrow('events:read');
    await expect(sender.client.listResources()).rejects.toThrow('events:read');
    const denied = async () =>
      ((await owner.get(`/v1/audit?teamId=${teamId}&limit=100`).expect(200)).body as Page<AuditEntry>).data
        .filter(({ action, object }) => action === 'act:deny' && object === session.id)
        .map(({ detail }) => (detail as { route?: string }).route);
    await waitFor(async () => (await denied()).length === 2, { what: 'both are recorded' });
    expect((await denied()).sort()).toEqual(['events:read', 'turn:interrupt']);
  });

  it('ends with its token at once, and with its own end', async () => {
    const { secret, token: made } = (
      await owner.post('/v1/tokens', { name: 'Short', teamId, identityClass: 'agent' }).expect(201)
    ).body as CreatedToken;
    const short = await connect(api.url, {}, secret);
    await owner.delete(`/v1/tokens/${made.id}`).expect(204);
    await expect(short.client.listTools()).rejects.toThrow();
    const ending = await connect();
    const id = String(ending.transport.sessionId);
    await ending.transport.terminateSession();
    await request(other.url)
      .post('/mcp')
      .set({ authorization: `Bearer ${token}`, 'mcp-session-id': id, accept: 'application/json, text/event-stream' })
      .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      .expect(404);
  });
});

function permissionOf(turn: ClaimedTurn, id: string) {
  return {
    id,
    sessionId: turn.sessionId,
    turnId: turn.id,
    kind: 'tool' as const,
    toolUseId: 'tool_1',
    tool: 'Bash',
    input: { command: 'make' },
    reason: 'rules',
    pattern: 'make',
  };
}
