import { PassThrough } from 'node:stream';
import { ControlChannel } from '../harness/claude-code/control-channel';
import type { PolicyInForce, TurnPolicy } from '@chirality/domain';
import { ToolGate, type LedgerEntry } from './tool-gate';

const OPTIONS: TurnPolicy = { mode: 'workbench', permissionMode: 'default', strict: false, autoApproveTools: [], ownApprovals: true };
const POLICY: PolicyInForce = { strict: false, autoApprove: false, rules: [], authorMayAnswer: true };

function setUp(options: Partial<TurnPolicy> = {}, writeLedger: (entry: LedgerEntry) => Promise<boolean> = async () => true) {
  const stdin = new PassThrough();
  const order: string[] = [];
  const denials: { tool: string; unattended: boolean }[] = [];
  const gate = new ToolGate(new ControlChannel(stdin), { ...OPTIONS, ...options }, {
    policy: async () => POLICY,
    writeLedger: async (entry) => {
      order.push(`ledger:${entry.name}:${entry.decision}`);
      return writeLedger(entry);
    },
    onFailure: () => undefined,
    onDenied: ({ tool, unattended }) => denials.push({ tool, unattended }),
  });
  const ask = async (tool: string, input: unknown = {}, programMode?: string) => {
    await gate.decide('req', { input: { tool_name: tool, tool_input: input, tool_use_id: 'toolu', permission_mode: programMode } });
    const line = String(stdin.read() ?? '').trim();
    const { response } = JSON.parse(line) as { response: { subtype: string; response?: { hookSpecificOutput: { permissionDecision: string } } } };
    order.push(response.subtype === 'error' ? 'error' : `answer:${response.response?.hookSpecificOutput.permissionDecision}`);
    return response;
  };
  return { gate, ask, order, denials };
}

describe('the gate before every tool', () => {
  it('writes the ledger before it answers', async () => {
    const { ask, order } = setUp();
    await ask('Write', { file_path: '/workspace/a', content: 'x' });
    expect(order).toEqual(['ledger:Write:allow', 'answer:allow']);
  });

  it('puts a command to people and remembers why', async () => {
    const { gate, ask, order } = setUp();
    await ask('Bash', { command: 'make install' });
    expect(order).toEqual(['ledger:Bash:ask', 'answer:ask']);
    expect(gate.decisionFor('toolu')?.reason).toBeTruthy();
  });

  it('changes nothing while the model plans, also where it began to by itself', async () => {
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

  it('plans on when the program says that it does not, and nobody approved a plan', async () => {
    const { ask, order } = setUp({ permissionMode: 'plan' });
    await ask('Write', { file_path: '/workspace/a' }, 'default');
    expect(order).toEqual(['ledger:Write:deny', 'answer:deny']);
  });

  it.each(['bypassPermissions', 'default', 'acceptEdits', undefined])('takes no looser mode from the program (%s)', async (reported) => {
    const { ask, order } = setUp({ permissionMode: 'dontAsk' });
    await ask('Bash', { command: 'make install' }, reported);
    expect(order).toEqual(['ledger:Bash:deny', 'answer:deny']);
  });

  it('denies in a pipeline what would be asked, and says that this is why', async () => {
    const { ask, denials } = setUp({ mode: 'pipeline', permissionMode: 'dontAsk' });
    await ask('Bash', { command: 'make install' });
    await ask('WebFetch', { url: 'http://example.com' });
    expect(denials).toEqual([
      { tool: 'Bash', unattended: true },
      { tool: 'WebFetch', unattended: false },
    ]);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['cannot be written', () => Promise.reject(new Error('database away'))],
    ['is refused because the attempt is over', async () => false],
  ])('lets no tool run when the ledger %s', async (_name, writeLedger) => {
    const { ask } = setUp({}, writeLedger);
    expect((await ask('Read')).subtype).toBe('error');
  });

  it('lets no tool run that it cannot name', async () => {
    const stdin = new PassThrough();
    const gate = new ToolGate(new ControlChannel(stdin), OPTIONS, { policy: async () => POLICY, writeLedger: async () => true, onFailure: () => undefined, onDenied: () => undefined });
    await gate.decide('req', { input: { tool_input: {} } });
    expect(JSON.parse(String(stdin.read()))).toMatchObject({ response: { subtype: 'error', request_id: 'req' } });
  });
});
