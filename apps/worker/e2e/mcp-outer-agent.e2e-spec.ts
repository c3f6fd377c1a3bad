import type { AuditEntry, CreatedToken, Permission } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { OuterClaude, type ToolResult } from './support/outer-claude';

jest.setTimeout(180_000);

const use = (tool: string, input: object) => `[[tool mcp__chirality__${tool} ${JSON.stringify(input)}]]`;
const json = <T>([result]: ToolResult[]): T => JSON.parse(result?.text ?? '') as T;

describe('a real Claude Code that drives the product over MCP', () => {
  let product: FaultStack;
  let outer: OuterClaude;
  let token: string;

  beforeAll(async () => {
    product = await startFaultStack();
    const { person } = product;
    const teamId = (await person.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id;
    const { body } = await person.call<CreatedToken>('POST', '/v1/tokens', {
      name: 'Laptop',
      teamId,
      identityClass: 'agent',
    });
    token = body.secret;
    outer = await OuterClaude.start(product.stack.url, token);
  });
  afterAll(async () => {
    await outer?.stop();
    await product?.stop();
  });

  it('creates a session, runs it, cannot approve what it asks, and reads the file that the inner one made', async () => {
    const { person, projectId } = product;
    const created = await outer.say(`${use('create_session', { title: 'Inner' })} [[text Created.]]`);
    const { session } = json<{ session: { id: string; projectId: string } }>(created);
    expect(session.projectId).toBe(projectId);
    expect((await person.session(session.id)).startedBy).toEqual({ identityClass: 'agent', tokenName: 'Laptop' });

    const ran = await outer.say(
      `${use('run_agent_with_shell_access', {
        sessionId: session.id,
        message: '[[tool Read {"file_path":"/workspace/none.md"}]] [[text "Nothing there."]]',
      })} [[text Ran.]]`,
    );
    expect(json(ran)).toMatchObject({
      text: 'Nothing there.',
      status: 'completed',
      costUsd: expect.stringMatching(/^0\.\d+$/),
      turns: 2,
      toolsUsed: ['Read'],
    });

    const write = '[[tool Bash {"command":"echo by the inner one > made.txt && touch made.txt"}]] [[text Made.]]';
    await outer.say(
      `${use('run_agent_with_shell_access', { sessionId: session.id, message: write, wait: false })} [[text Begun.]]`,
    );
    const pending = async (): Promise<Permission | undefined> =>
      (await person.permissions(session.id)).find(({ status }) => status === 'pending');
    await waitFor(async () => (await pending()) !== undefined, { what: 'the inner one asks', timeoutMs: 30_000 });
    const permissionId = (await pending())?.id ?? '';
    const tried = await outer.say(
      `${use('answer_permission', { sessionId: session.id, permissionId, decision: 'allow_once' })} [[text Tried.]]`,
    );
    expect(tried).toEqual([{ text: expect.stringMatching(/^AGENT_MAY_NOT_APPROVE \(403\)/) as string, isError: true }]);
    expect((await pending())?.id).toBe(permissionId);
    const audit = (await person.call<{ data: AuditEntry[] }>('GET', '/v1/audit?limit=50')).body.data;
    expect(
      audit.filter(({ action, object }) => action === 'permission:agent-denied' && object === permissionId),
    ).toHaveLength(1);

    await person.call('POST', `/v1/sessions/${session.id}/permissions/${permissionId}`, { decision: 'allow_once' });
    const [waited, read] = await outer.say(
      `${use('wait_for_turn', { sessionId: session.id })} [[tool ReadMcpResourceTool ${JSON.stringify({
        server: 'chirality',
        uri: `chirality://v1/session/${session.id}/files/made.txt`,
      })}]] [[text Done.]]`,
    );
    expect(JSON.parse(waited?.text ?? '')).toMatchObject({ text: 'Made.', status: 'completed', toolsUsed: ['Bash'] });
    expect(read).toEqual({ text: expect.stringContaining('by the inner one') as string, isError: false });
  });

  it('creates a session and runs it through the terminal program', async () => {
    const overStdio = await OuterClaude.startOverStdio(product.stack.url, token);
    try {
      const created = await overStdio.say(`${use('create_session', { title: 'By stdio' })} [[text Created.]]`);
      const { session } = json<{ session: { id: string } }>(created);
      const ran = await overStdio.say(
        `${use('run_agent_with_shell_access', { sessionId: session.id, message: '[[text "Hello."]]' })} [[text Ran.]]`,
      );
      expect(json(ran)).toMatchObject({ text: 'Hello.', status: 'completed' });
    } finally {
      await overStdio.stop();
    }
  });
});
