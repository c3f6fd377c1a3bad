import type { CreatedToken } from '@chirality/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ListResourcesResultSchema,
  ResourceUpdatedNotificationSchema,
  type CallToolResult,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { Pool } from 'pg';
import { PROGRAM, TerminalUser } from './terminal-process';

jest.setTimeout(180_000);

type Run = { status: string; text: string };

describe('chirality mcp', () => {
  let stack: Stack;
  let person: TestClient;
  let projectId: string;
  let created: CreatedToken;
  let user: TerminalUser;
  const clients: Client[] = [];

  const connect = async (token = created.secret) => {
    const client = new Client({ name: 'editor', version: '1.0.0' });
    const env = { CHIRALITY_URL: stack.url, CHIRALITY_TOKEN: token, HOME: user.home };
    const transport = new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env });
    await client.connect(transport);
    clients.push(client);
    return client;
  };
  const tokenNamed = async (name: string) => {
    const { teamId } = (await person.call<{ teamId: string }>('GET', `/v1/projects/${projectId}`)).body;
    return (await person.call<CreatedToken>('POST', '/v1/tokens', { name, teamId, identityClass: 'agent' })).body;
  };
  const call = async (client: Client, name: string, input: object, options = {}) => {
    const result = (await client.callTool({ name, arguments: { ...input } }, undefined, options)) as CallToolResult;
    expect(result.isError ?? false).toBe(false);
    return result.structuredContent as unknown;
  };
  const newSession = async (client: Client) =>
    ((await call(client, 'create_session', { title: 'By stdio' })) as { session: { id: string } }).session.id;
  const isRunning = (id: string) =>
    waitFor(async () => (await person.session(id)).status === 'running', { what: 'the turn runs', timeoutMs: 60_000 });

  beforeAll(async () => {
    stack = await startStack();
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await person.createProject('Shop')).id;
    created = await tokenNamed('Editor');
    user = new TerminalUser({ CHIRALITY_URL: stack.url });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(async () => {
    user?.remove();
    await stack?.stop();
  });

  it('runs a message with progress, announces events, and interrupts what is cancelled', async () => {
    const client = await connect();
    expect(client.getServerVersion()?.name).toBe('chirality');
    const sessionId = await newSession(client);
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    await client.subscribeResource({ uri: `chirality://v1/session/${sessionId}/events` });
    const heard: Progress[] = [];
    const run = { sessionId, message: '[[slow words=20 delay=50]]' };
    const ran = await call(client, 'run_agent_with_shell_access', run, {
      onprogress: (one: Progress) => heard.push(one),
    });
    expect(ran).toMatchObject({ status: 'completed' });
    expect(heard.length).toBeGreaterThan(0);
    await waitFor(() => Promise.resolve(updated.length > 0), { what: 'its events are announced', timeoutMs: 10_000 });

    const leaving = new AbortController();
    const slow = { sessionId, message: '[[slow words=600 delay=100]]' };
    const cancelled = call(client, 'run_agent_with_shell_access', slow, { signal: leaving.signal });
    const refusal = expect(cancelled).rejects.toThrow();
    await isRunning(sessionId);
    leaving.abort();
    await refusal;
    await waitFor(async () => (await person.session(sessionId)).status === 'idle', {
      what: 'the turn is interrupted',
      timeoutMs: 30_000,
    });
  });

  it('continues a call over a restart of the server, and begins another MCP session when its own is over', async () => {
    const client = await connect();
    const sessionId = await newSession(client);
    const run = call(client, 'run_agent_with_shell_access', { sessionId, message: '[[slow words=60 delay=100]]' });
    await isRunning(sessionId);
    await stack.restartApi();
    expect((await run) as Run).toMatchObject({ status: 'completed' });

    const pool = new Pool({ connectionString: stack.postgres.url });
    try {
      await pool.query('DELETE FROM mcp_session');
    } finally {
      await pool.end();
    }
    const again = { sessionId, message: '[[text "Still here."]]' };
    expect(await call(client, 'run_agent_with_shell_access', again)).toMatchObject({ text: 'Still here.' });
    const listed = await client.request({ method: 'resources/list' }, ListResourcesResultSchema);
    expect(listed.resources.length).toBeGreaterThan(0);
  });

  it('writes nothing but messages to standard output, and ends when the client does', async () => {
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const child = user.start(['mcp'], { CHIRALITY_TOKEN: created.secret });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.write(`no message\n${JSON.stringify(hello)}\n`);
    await waitFor(() => Promise.resolve(out.endsWith('\n')), { what: 'it is answered', timeoutMs: 20_000 });
    child.stdin.end();
    expect(await closed).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { jsonrpc: '2.0', id: 1, result: expect.objectContaining({ protocolVersion: '2025-06-18' }) as object },
    ]);
  });

  it('says on standard error why it cannot serve', async () => {
    const none = await user.run(['mcp']);
    expect(none).toMatchObject({ code: 3, out: '', err: expect.stringContaining('chirality login') as string });
    const wrong = await user.run(['mcp'], { env: { CHIRALITY_TOKEN: 'chi_nothing' } });
    expect(wrong).toMatchObject({ code: 3, out: '' });
    const gone = await user.run(['--server', 'http://127.0.0.1:9', 'mcp'], {
      env: { CHIRALITY_TOKEN: created.secret },
    });
    expect([gone.code, gone.out]).toEqual([5, '']);
    expect(gone.err).not.toBe('');
  });

  it('ends with 3 when its token is revoked', async () => {
    const { token, secret } = await tokenNamed('Short');
    const child = user.start(['mcp'], { CHIRALITY_TOKEN: secret });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await person.call('DELETE', `/v1/tokens/${token.id}`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    expect(await closed).toBe(3);
    expect(err).toContain('chirality login');
  });
});
