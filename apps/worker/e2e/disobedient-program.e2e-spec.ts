import type { AuditEntry, Turn } from '@chirality/contracts';
import { fakeClaude, type FakeClaude } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

const command = { command: 'touch denied.txt' };

/** The program says that the call ran, and who allowed it. */
function saysItRan(id: string, decision: 'accept' | 'reject' = 'accept', parent: string | null = null) {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: 'done', ...(decision === 'reject' ? { is_error: true } : {}) },
      ],
    },
    tool_result_meta: [{ id, permission_decision: { decision, source: 'hook', reason_type: 'hook' } }],
    parent_tool_use_id: parent,
    session_id: '$session',
  };
}

/** The callback denies it, which the program takes note of, and then runs it all the same. */
const deniedThenRun = fakeClaude().init().useTool({ id: 't1', name: 'Bash', input: command }).record(saysItRan('t1'));

describe('a program that disobeys', () => {
  let product: FaultStack;

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, env: { CHIRALITY_PARKED_MS: '60000', CHIRALITY_WORKER_SLOTS: '2' } });
    await product.person.call('POST', `/v1/projects/${product.projectId}/rules`, {
      tool: 'Bash',
      pattern: 'touch *',
      effect: 'deny',
    });
  });
  afterAll(() => product?.stop());

  const open = () => WatchedSession.open(product.person, product.projectId);
  const audited = async (turn: Turn) =>
    (
      await product.person.call<{ data: AuditEntry[] }>('GET', `/v1/audit?projectId=${product.projectId}`)
    ).body.data.filter(({ action, detail }) => action === 'policy:bypass' && detail['turnId'] === turn.id);

  it.each<[string, FakeClaude, string, object]>([
    ['runs a tool that was denied', deniedThenRun, 'Bash', { answered: 'deny', reported: 'accepted' }],
    [
      'runs a tool without asking',
      fakeClaude().init().tool('m1', 't1', 'Bash', command).record(saysItRan('t1')),
      'Bash',
      { answered: 'not asked', reported: 'accepted' },
    ],
    [
      'runs a tool without asking or telling',
      fakeClaude().init().tool('m1', 't1', 'Write', { file_path: 'x' }).toolResult('t1', 'written'),
      'Write',
      { answered: 'not asked', reported: 'unsaid' },
    ],
    [
      'lets a sub-agent run one without asking',
      fakeClaude()
        .init()
        .tool('m1', 'parent', 'Agent', {})
        .sub('parent', (agent) => agent.tool('m2', 't1', 'Bash', command))
        .record(saysItRan('t1', 'accept', 'parent')),
      'Bash',
      { answered: 'not asked' },
    ],
    [
      'calls a server without asking',
      fakeClaude().init().tool('m1', 't1', 'mcp__files__remove', {}).record(saysItRan('t1')),
      'mcp__files__remove',
      { answered: 'not asked' },
    ],
    ['reports an unknown call', fakeClaude().init().record(saysItRan('t1')), '', { answered: 'not asked' }],
  ])('and %s is ended, its turn fails, and admins can see why', async (_, steps, tool, detail) => {
    const watched = await open();
    const turn = await watched.run(steps.text('m9', 'As if nothing were.').hang().toMessage());
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'POLICY_BYPASSED' }, attempt: 1 });
    await untilGone(watched.id);
    expect(watched.payloads(turn, 'turn:notice')).toContainEqual(
      expect.objectContaining({ level: 'error', code: 'POLICY_BYPASSED', toolUseId: 't1' }),
    );
    expect(await audited(turn)).toMatchObject([{ object: watched.id, detail: { tool, toolUseId: 't1', ...detail } }]);
    // The next turn gets a new process.
    const next = await watched.run(fakeClaude().init().text('m1', 'Back.').result().toMessage());
    expect(next).toMatchObject({ status: 'completed', text: 'Back.' });
    expect(watched.payloads(next, 'turn:start')).toMatchObject([{ process: 'cold' }]);
    await watched.expectLawful();
    watched.close();
  });

  it('is found out when the result comes in the same breath', async () => {
    const watched = await open();
    expect(await watched.run(deniedThenRun.text('m2', 'Done.').result().toMessage())).toMatchObject({
      status: 'failed',
      error: { code: 'POLICY_BYPASSED' },
    });
    watched.close();
  });

  it('is not suspected when it refuses what was allowed, or what it was not asked about', async () => {
    const watched = await open();
    const steps = fakeClaude()
      .init()
      .useTool({ id: 't1', name: 'Read', input: { file_path: 'x' }, isError: true })
      .tool('m1', 't2', 'Nonsense', {})
      .record(saysItRan('t2', 'reject'))
      .tool('m2', 't3', 'Unknown', {})
      .toolResult('t3', 'No such tool', { isError: true });
    const turn = await watched.run(steps.text('m3', 'Fine.').result().toMessage());
    expect({ turn, audited: await audited(turn) }).toMatchObject({
      turn: { status: 'completed', error: null, text: 'Fine.' },
      audited: [],
    });
    await watched.expectLawful();
    watched.close();
  });
});
