import type { AuditEntry, Page, Permission, Session } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import { textOf } from './mcp-client';
import { McpServer, type RunResult } from './mcp-fixture';

jest.setTimeout(60_000);

describe('the tools and resources at /mcp', () => {
  let server: McpServer;

  beforeAll(async () => {
    server = await McpServer.start();
  });
  afterAll(() => server?.stop());

  it('has the tools by name, each with what it does and what it hands over', async () => {
    const { tools } = await server.mcp.client.listTools();
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
    expect(server.mcp.client.getServerVersion()).toMatchObject({ name: 'chirality' });
  });

  it('creates sessions of an agent, lists them, sets model and plan mode beside what there is, and ends them', async () => {
    const session = await server.create();
    expect((await server.owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({
      startedBy: { identityClass: 'agent', tokenName: 'Outer' },
    });
    const listed = await server.mcp.call<{ sessions: Session[]; projects: object[] }>('list_sessions');
    expect(listed.sessions.map(({ id }) => id)).toEqual([session.id]);
    expect(listed.projects).toEqual([{ id: server.projectId, name: 'Here' }]);
    await server.owner.patch(`/v1/sessions/${session.id}`, { options: { maxTurns: 7 } }).expect(200);
    await server.mcp.call('set_model', { sessionId: session.id, model: 'haiku' });
    await server.mcp.call('enter_plan_mode', { sessionId: session.id });
    const optionsNow = async () => ((await server.owner.get(`/v1/sessions/${session.id}`)).body as Session).options;
    expect(await optionsNow()).toEqual({ maxTurns: 7, model: 'haiku', permissionMode: 'plan' });
    await server.mcp.call('exit_plan_mode', { sessionId: session.id });
    expect((await optionsNow()).permissionMode).toBe('default');
    await server.mcp.call('end_session', { sessionId: session.id });
    expect((await server.mcp.call<{ sessions: Session[] }>('list_sessions')).sessions).toEqual([]);
  });

  it('runs a turn, says its progress, and answers text, cost, turns and tools', async () => {
    const session = await server.create();
    const progress: { progress: number; message?: string | undefined }[] = [];
    const running = server.mcp.call<RunResult>(
      'run_agent_with_shell_access',
      { sessionId: session.id, message: 'hello' },
      { onprogress: (each) => progress.push(each) },
    );
    const turn = await server.work(session.id);
    await server.useTool(turn, 'Bash', { command: 'npm test' });
    await waitFor(() => progress.some(({ message }) => message === 'Bash npm test'), { what: 'progress is said' });
    await server.useTool(turn, 'Read');
    await server.useTool(turn, 'Bash');
    await server.api.worker.settle(turn);
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
    expect(await server.mcp.call<RunResult>('wait_for_turn', { sessionId: session.id })).toMatchObject({
      turnId: turn.id,
    });
  });

  it('does not wait where that is not wanted, waits later, for so long, and interrupts', async () => {
    const session = await server.create();
    const begun = await server.mcp.call<RunResult>('run_agent_with_shell_access', {
      sessionId: session.id,
      message: 'hello',
      wait: false,
    });
    expect(begun.status).toBe('queued');
    const turn = await server.work(session.id);
    expect(
      await server.mcp.call<RunResult>('wait_for_turn', { sessionId: session.id, turnId: turn.id, timeoutSeconds: 1 }),
    ).toMatchObject({ status: 'running', turnId: turn.id });
    const second = await server.mcp.attempt('run_agent_with_shell_access', { sessionId: session.id, message: 'again' });
    expect([second.isError, textOf(second)]).toEqual([true, expect.stringMatching(/^TURN_IN_PROGRESS \(409\)/)]);
    const waiting = server.mcp.call<RunResult>('wait_for_turn', { sessionId: session.id });
    await server.mcp.call('cancel_turn', { sessionId: session.id });
    await server.api.worker.settle(turn, 'interrupt');
    expect(await waiting).toMatchObject({ status: 'interrupted' });
  });

  it('has resources: sessions, one of them, its log, what runs here, and nothing that is not there', async () => {
    const session = await server.create();
    const { resources } = await server.mcp.client.listResources();
    expect(resources.slice(0, 3).map(({ uri }) => uri)).toEqual([
      'chirality://v1/sessions',
      'chirality://v1/harnesses',
      'chirality://v1/runtime',
    ]);
    expect(resources.map(({ uri }) => uri)).toContain(`chirality://v1/session/${session.id}`);
    expect((await server.mcp.client.listResourceTemplates()).resourceTemplates).toHaveLength(4);
    expect(await server.mcp.readJson<Session>(`chirality://v1/session/${session.id}`)).toMatchObject({
      id: session.id,
    });
    expect(await server.mcp.readJson<Page<Session>>('chirality://v1/sessions')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: session.id })]) as object,
    });
    expect(await server.mcp.readJson<object>('chirality://v1/runtime')).toMatchObject({
      protocolVersion: expect.any(String),
    });
    expect(await server.mcp.readJson<Page<object>>('chirality://v1/harnesses')).toMatchObject({ nextCursor: null });
    const turn = await server.owner.sendTurn(session.id, 'hello there');
    expect(await server.mcp.read(`chirality://v1/session/${session.id}/log`)).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('hello there'),
    });
    await server.api.worker.settle(await server.api.worker.claimOf(session.id));
    expect(turn.id).toBeDefined();
    for (const uri of [
      'chirality://v1/profiles',
      'chirality://v1/skills',
      `chirality://v1/session/${newId('session')}`,
    ])
      await expect(server.mcp.read(uri)).rejects.toMatchObject({ code: -32002 });
  });

  it('has a person asked by a page, and answers nothing itself: the attempt is refused, audited and shown', async () => {
    const session = await server.create();
    const running = server.mcp.call<RunResult>('run_agent_with_shell_access', {
      sessionId: session.id,
      message: 'hello',
    });
    const turn = await server.work(session.id);
    const permissionId = newId('permission');
    await server.api.worker.become(
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
    await waitFor(() => server.mcp.asked.length > 0, { what: 'the client’s person is asked' });
    expect(server.mcp.asked[0]).toMatchObject({
      mode: 'url',
      elicitationId: permissionId,
      url: `http://127.0.0.1:3000/sessions/${session.id}`,
    });
    const pending = async () =>
      ((await server.owner.get(`/v1/sessions/${session.id}/permissions`).expect(200)).body as Page<Permission>).data[0];
    expect((await pending())?.status).toBe('pending');
    for (const value of [server.token, await server.tokenOf({ identityClass: 'human', name: 'Mine' })]) {
      const client = await server.connect(server.other.url, {}, value);
      const result = await client.attempt('answer_permission', {
        sessionId: session.id,
        permissionId,
        decision: 'allow_once',
      });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^AGENT_MAY_NOT_APPROVE \(403\)/)]);
    }
    expect((await pending())?.status).toBe('pending');
    const audit = (await server.owner.get(`/v1/audit?teamId=${server.teamId}&limit=50`).expect(200))
      .body as Page<AuditEntry>;
    expect(audit.data.filter(({ action }) => action === 'permission:agent-denied')).toHaveLength(2);
    await server.api.worker.settle(turn, 'interrupt');
    expect(await running).toMatchObject({ status: 'interrupted' });
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
