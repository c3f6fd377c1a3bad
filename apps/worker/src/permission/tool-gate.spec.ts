import { PassThrough } from 'node:stream';
import { ControlChannel } from '../harness/claude-code/control-channel';
import type { PolicyInForce, TurnPolicy } from '@chirality/domain';
import type { ActiveTurn } from '../record/active-turn';
import { TurnStop } from '../record/turn-stop';
import type { LedgerEntry } from './tool-call-ledger';
import { ToolGate } from './tool-gate';

const OPTIONS: TurnPolicy = {
  mode: 'workbench',
  permissionMode: 'default',
  strict: false,
  autoApproveTools: [],
  ownApprovals: true,
};
const POLICY: PolicyInForce = { strict: false, autoApprove: false, rules: [], authorMayAnswer: true };

function setUp(
  options: Partial<TurnPolicy> = {},
  writeLedger: (entry: LedgerEntry) => Promise<boolean> = async () => true,
  policy: PolicyInForce = POLICY,
  gitRunsPrograms = false,
) {
  const stdin = new PassThrough();
  const order: string[] = [];
  const denials: string[] = [];
  const stop = new TurnStop();
  const turn = {
    recorder: { record: (_kind: string, { text }: { text: string }) => denials.push(text.split(' ', 1)[0] as string) },
    state: {},
    stop,
    log: { warn: () => undefined },
  } as unknown as ActiveTurn;
  const gate = new ToolGate(
    new ControlChannel(stdin),
    { ...OPTIONS, ...options },
    turn,
    { inForce: async () => policy },
    {
      gitRunsPrograms: async () => gitRunsPrograms,
      realPath: async (path) => path.replace('/link', '/secret'),
    },
    {
      open: async (_attempt, entry) => {
        order.push(`ledger:${entry.name}:${entry.decision}`);
        return writeLedger(entry);
      },
    },
  );
  const ask = async (tool: string, input: unknown = {}, programMode?: string, cwd?: string) => {
    await gate.decide('req', {
      input: { tool_name: tool, tool_input: input, tool_use_id: 'toolu', permission_mode: programMode, cwd },
    });
    const line = String(stdin.read() ?? '').trim();
    const { response } = JSON.parse(line) as {
      response: {
        subtype: string;
        response?: {
          hookSpecificOutput: { permissionDecision: string; updatedInput?: unknown; additionalContext?: string };
        };
      };
    };
    order.push(
      response.subtype === 'error' ? 'error' : `answer:${response.response?.hookSpecificOutput.permissionDecision}`,
    );
    return response;
  };
  return { gate, ask, order, denials, stop, stdin };
}

describe('the gate before every tool', () => {
  it('writes the ledger before it answers', async () => {
    const { ask, order } = setUp();
    await ask('Write', { file_path: '/workspace/a', content: 'x' });
    expect(order).toEqual(['ledger:Write:allow', 'answer:allow']);
  });

  it.each([
    'Read',
    'Bash',
    'Write',
    'Agent',
    'Skill',
    'ListMcpResourcesTool',
    'mcp__files__remove',
    'AskUserQuestion',
    'Unheard-of',
  ])('answers %s with a decision, never with nothing, which the program takes for a yes', async (tool) => {
    const answers = [
      await setUp().ask(tool),
      await setUp({ mode: 'pipeline' }).ask(tool),
      await setUp({}, undefined, { ...POLICY, autoApprove: true }).ask(tool),
    ];
    for (const { response } of answers)
      expect(['allow', 'ask', 'deny']).toContain(response?.hookSpecificOutput.permissionDecision);
  });

  it('lets git look unasked only where its configuration names no program', async () => {
    const decisionOn = async (
      command: string,
      ...setting: [gitRunsPrograms: boolean, policy?: Partial<PolicyInForce>]
    ) =>
      (await setUp({}, undefined, { ...POLICY, ...setting[1] }, setting[0]).ask('Bash', { command })).response
        ?.hookSpecificOutput.permissionDecision;
    expect([
      await decisionOn('git status', false),
      await decisionOn('git status', true),
      await decisionOn('ls && git diff', true),
    ]).toEqual(['allow', 'ask', 'ask']);
    expect([
      await decisionOn(`g''it diff`, true),
      await decisionOn('\\git diff', true),
      await decisionOn('"git" diff', true),
    ]).toEqual(['ask', 'ask', 'ask']);
    const entering = { rules: [{ tool: 'Bash', pattern: 'cd sub', effect: 'allow' as const }] };
    expect([
      await decisionOn('cd sub && git diff', false, entering),
      await decisionOn('cd sub && ls', false, entering),
    ]).toEqual(['ask', 'allow']);
    expect([await decisionOn('ls', true), await decisionOn('git status', true, { autoApprove: true })]).toEqual([
      'allow',
      'allow',
    ]);
    expect(
      await decisionOn('git status', true, { rules: [{ tool: 'Bash', pattern: 'git status', effect: 'allow' }] }),
    ).toBe('allow');
  });

  it('puts a command to people and remembers why', async () => {
    const { gate, ask, order } = setUp();
    await ask('Bash', { command: 'make install' });
    expect(order).toEqual(['ledger:Bash:ask', 'answer:ask']);
    expect(gate.decisionFor('toolu')?.reason).toBeTruthy();
  });

  it('changes nothing while the model plans, also where it began to unasked', async () => {
    const { ask, order } = setUp();
    await ask('Write', { file_path: '/workspace/a' }, 'plan');
    expect(order).toEqual(['ledger:Write:deny', 'answer:deny']);
  });

  it('lets the work begin once the plan is approved', async () => {
    const { gate, ask, order } = setUp({ permissionMode: 'plan' });
    await ask('Write', { file_path: '/workspace/a' }, 'plan');
    await ask('ExitPlanMode', {}, 'plan');
    gate.noteAllowed('toolu');
    await ask('Write', { file_path: '/workspace/a' }, 'default');
    expect(order.filter((step) => step.startsWith('answer'))).toEqual(['answer:deny', 'answer:ask', 'answer:allow']);
  });

  it('keeps planning when the program says that it does not, without an approved plan', async () => {
    const { ask, order } = setUp({ permissionMode: 'plan' });
    await ask('Write', { file_path: '/workspace/a' }, 'default');
    expect(order).toEqual(['ledger:Write:deny', 'answer:deny']);
  });

  it.each(['bypassPermissions', 'default', 'acceptEdits', undefined])(
    'takes no looser mode from the program (%s)',
    async (reported) => {
      const { ask, order } = setUp({ permissionMode: 'dontAsk' });
      await ask('Bash', { command: 'make install' }, reported);
      expect(order).toEqual(['ledger:Bash:deny', 'answer:deny']);
    },
  );

  it('denies in a pipeline what would be asked, and says that this is why', async () => {
    const { ask, denials, stop } = setUp({ mode: 'pipeline', permissionMode: 'dontAsk' });
    await ask('WebFetch', { url: 'http://example.com' });
    expect([denials, stop.reason]).toEqual([['WebFetch'], null]);
    await ask('Bash', { command: 'make install' });
    expect([denials, stop.reason]).toEqual([['WebFetch', 'Bash'], 'unattended']);
  });

  const kept: PolicyInForce = { ...POLICY, rules: [{ tool: 'Read', pattern: 'secret/**', effect: 'deny' }] };

  it('has a search leave out what must not be read, tells the model so, and notes what ran', async () => {
    const entries: LedgerEntry[] = [];
    const { ask } = setUp({ workspace: '/workspace' }, async (entry) => entries.push(entry) > 0, kept);
    const narrowed = { pattern: 'x', glob: '!/secret/**' };
    expect((await ask('Grep', { pattern: 'x' })).response?.hookSpecificOutput).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: narrowed,
      additionalContext: expect.stringContaining('leaves out'),
    });
    expect(entries[0]?.input).toEqual(narrowed);
    expect(
      (await ask('Grep', { pattern: 'x' }, undefined, '/workspace/src')).response?.hookSpecificOutput,
    ).not.toHaveProperty('updatedInput');
  });

  it('follows links and the directory that the program is in', async () => {
    const { ask, order } = setUp({ workspace: '/workspace' }, undefined, kept);
    await ask('Read', { file_path: '/workspace/link/a' });
    await ask('Grep', { pattern: 'x', path: '../secret' }, undefined, '/workspace/src');
    await ask('Bash', { command: 'cat a' }, undefined, '/workspace/secret');
    expect(order.filter((step) => step.startsWith('answer'))).toEqual(['answer:deny', 'answer:deny', 'answer:deny']);
  });

  it('judges what a person changed a call into', async () => {
    const { gate, ask, denials, stop } = setUp({ workspace: '/workspace' }, undefined, kept);
    await ask('Bash', { command: 'make' }, undefined, '/workspace/secret');
    expect(await gate.judge('toolu', 'Bash', { command: 'make --always-make' })).toEqual({
      input: { command: 'make --always-make' },
    });
    expect(await gate.judge('toolu', 'Bash', { command: 'cat a' })).toEqual({
      refused: 'the rule Read(secret/**) refuses it',
    });
    expect([denials, stop.reason]).toEqual([['Bash'], null]);
    expect(await gate.judge('other', 'Grep', { pattern: 'x' })).toEqual({
      input: { pattern: 'x', glob: '!/secret/**' },
    });
  });

  it.each<[string, () => Promise<boolean>]>([
    ['cannot be written', () => Promise.reject(new Error('database away'))],
    ['is refused because the attempt is over', async () => false],
  ])('lets no tool run when the ledger %s', async (_name, writeLedger) => {
    const { ask } = setUp({}, writeLedger);
    expect((await ask('Read')).subtype).toBe('error');
  });

  it('lets no tool run that it cannot name', async () => {
    const { gate, stdin } = setUp();
    await gate.decide('req', { input: { tool_input: {} } });
    expect(JSON.parse(String(stdin.read()))).toMatchObject({ response: { subtype: 'error', request_id: 'req' } });
  });

  const ADA = { userId: 'usr_ada', name: 'Ada' };
  const changing = () => {
    const policy: PolicyInForce = { ...POLICY };
    return { policy, ...setUp({}, undefined, policy) };
  };

  it('settles what waits by a rule that was made meanwhile, and names it and its author', async () => {
    const { policy, gate, ask } = changing();
    await ask('Bash', { command: 'npm test && git push' });
    const again = () => gate.reconsider('toolu', 'Bash', { command: 'npm test && git push' });
    expect(await again()).toBeNull();
    policy.rules = [{ tool: 'Bash', pattern: 'npm test', effect: 'allow', by: ADA }];
    expect(await again()).toBeNull();
    policy.rules = [...policy.rules, { tool: 'Bash', pattern: 'git push *', effect: 'allow', by: ADA }];
    expect(await again()).toEqual({
      outcome: 'allowed',
      reason: 'Allowed by the rule Bash(npm test) and Bash(git push *), which Ada added.',
      policy: { rule: 'Bash(npm test) and Bash(git push *)', by: ADA },
    });
    policy.rules = [...policy.rules, { tool: 'Bash', pattern: 'git push *', effect: 'deny', by: ADA }];
    expect(await again()).toEqual({
      outcome: 'denied',
      reason: 'Denied by the rule Bash(git push *), which Ada added.',
      policy: { rule: 'Bash(git push *)', by: ADA },
    });
    expect(await gate.judge('toolu', 'Bash', { command: 'npm test && git push' })).toEqual({
      refused: expect.stringContaining('Bash(git push *)'),
    });
  });

  it('settles what waits by auto-approve, but no question, no plan and nothing that it never asked about', async () => {
    const { policy, gate, ask } = changing();
    await ask('Bash', { command: 'make' });
    Object.assign(policy, { autoApprove: true, autoApproveBy: ADA });
    expect(await gate.reconsider('toolu', 'Bash', { command: 'make' })).toEqual({
      outcome: 'allowed',
      reason: 'Allowed because Ada turned on auto-approve.',
      policy: { autoApprove: true, by: ADA },
    });
    expect(await gate.reconsider('toolu_other', 'Bash', { command: 'make' })).toBeNull();
    await ask('AskUserQuestion', {});
    expect(await gate.reconsider('toolu', 'AskUserQuestion', {})).toBeNull();
  });
});
