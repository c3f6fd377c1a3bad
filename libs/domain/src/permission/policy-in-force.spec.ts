import { decideToolUse } from './decide-tool-use';
import { mayAnswerIn, type SessionPlace } from './may-answer';
import { policyOfTurn, type PolicyInForce, type TurnPolicy } from './policy-in-force';

const TURN: TurnPolicy = {
  mode: 'workbench',
  permissionMode: 'default',
  strict: false,
  autoApproveTools: [],
  ownApprovals: true,
};
const NONE: PolicyInForce = { strict: false, autoApprove: false, rules: [], authorMayAnswer: true };
const allow = (pattern: string | null) => ({ tool: 'Bash', pattern, effect: 'allow' as const });
const deny = (pattern: string | null) => ({ tool: 'Bash', pattern, effect: 'deny' as const });
const ask = (pattern: string | null) => ({ tool: 'Bash', pattern, effect: 'ask' as const });

function decide(command: string, inForce: Partial<PolicyInForce>, turn: Partial<TurnPolicy> = {}) {
  return decideToolUse({
    tool: 'Bash',
    input: { command },
    ...policyOfTurn({ ...TURN, ...turn }, { ...NONE, ...inForce }),
  });
}

describe('the policy in force', () => {
  it('denies what any level denies, no matter which one allows it and how', () => {
    const everything = { rules: [allow(null), deny('rm *')], autoApprove: true };
    expect(decide('rm x', everything).decision).toBe('deny');
    expect(decide('rm x', everything, { autoApproveTools: ['Bash'], ownApprovals: false }).decision).toBe('deny');
    expect(decide('rm x', { rules: [deny(null), allow('rm x')] }).decision).toBe('deny');
    expect(decide('rm x', { rules: [allow(null)] }, { disallowedTools: ['Bash'] }).decision).toBe('deny');
    expect(decide('rm x', { ...everything, authorMayAnswer: false }).decision).toBe('deny');
  });

  it('is as strict as the stricter of project and turn', () => {
    expect(decide('ls', {}).decision).toBe('allow');
    expect(decide('ls', { strict: true }).decision).toBe('ask');
    expect(decide('ls', {}, { strict: true }).decision).toBe('ask');
  });

  it('holds what was allowed in advance only for people who may answer', () => {
    for (const [inForce, turn] of [
      [{ rules: [allow('make *')] }, {}],
      [{}, { autoApproveTools: ['Bash(make *)'] }],
    ] as const) {
      expect(decide('make x', inForce, turn).decision).toBe('allow');
      expect(decide('make x', { ...inForce, authorMayAnswer: false }, turn).decision).toBe('ask');
    }
    expect(
      decide('make x', { authorMayAnswer: false }, { autoApproveTools: ['Bash(make *)'], ownApprovals: false })
        .decision,
    ).toBe('allow');
    expect(decide('make x', { rules: [allow(null), ask('make *')], authorMayAnswer: false }).decision).toBe('ask');
  });

  describe('with auto-approve', () => {
    const on = { autoApprove: true };

    it('approves what would be asked, also where no one is asked', () => {
      expect(decide('make x', on)).toEqual({
        decision: 'allow',
        reason: 'this project is set to auto-approve',
        pattern: null,
      });
      expect(decide('make x', on, { mode: 'pipeline', permissionMode: 'dontAsk' }).decision).toBe('allow');
      expect(decide('make x', {}, { mode: 'pipeline', permissionMode: 'dontAsk' }).decision).toBe('deny');
    });

    it('still asks in strict mode, while planning and where a rule says so', () => {
      expect(decide('make x', on, { strict: true }).decision).toBe('ask');
      expect(decide('make x', { ...on, strict: true }).decision).toBe('ask');
      expect(decide('make x', on, { permissionMode: 'plan' }).decision).toBe('ask');
      expect(decide('make x', { ...on, rules: [ask('make *')] }).decision).toBe('ask');
    });

    it.each(['AskUserQuestion', 'ExitPlanMode'])('leaves %s to a person', (tool) => {
      expect(decideToolUse({ tool, input: {}, ...policyOfTurn(TURN, { ...NONE, ...on }) }).decision).toBe('ask');
    });

    it('opens no network', () => {
      expect(
        decideToolUse({
          tool: 'WebFetch',
          input: { url: 'https://example.com' },
          ...policyOfTurn(TURN, { ...NONE, ...on }),
        }).decision,
      ).toBe('deny');
    });
  });
});

describe('who may answer', () => {
  const place: SessionPlace = { role: 'write', identityClass: 'human', ownsSession: true, visibility: 'private' };
  it.each<[Partial<SessionPlace>, boolean]>([
    [{}, true],
    [{ role: 'read' }, false],
    [{ role: null }, false],
    [{ identityClass: 'agent' }, false],
    [{ ownsSession: false }, false],
    [{ ownsSession: false, visibility: 'project_read' }, false],
    [{ ownsSession: false, visibility: 'project' }, true],
    [{ ownsSession: false, visibility: 'project', role: 'read' }, false],
    [{ ownsSession: false, visibility: 'private', role: 'manage' }, false],
  ])('%j: %s', (change, expected) => expect(mayAnswerIn({ ...place, ...change })).toBe(expected));
});
