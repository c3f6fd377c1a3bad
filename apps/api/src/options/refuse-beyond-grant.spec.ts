import type { Command, IdentityClass, Options } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { refuseApprovals, refuseLoosening, refuseTurnOptions as refuseOfTurn } from './refuse-beyond-grant';

/** A program with a token for these commands; null: a person in a browser. */
function asking(commands: Command[] | null, identityClass: IdentityClass = 'human'): Principal {
  return {
    identityClass,
    ...(commands && { token: { claims: { ver: 1, commands, criticalClaims: [] } } }),
  } as unknown as Principal;
}

function codeOf(act: () => void): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return error instanceof ProblemError ? error.code : String(error);
  }
}

const refuseTurnOptions = (who: Principal, options: Options) => refuseOfTurn(who, options, {});

const APPROVING: Options[] = [{ permissionMode: 'acceptEdits' }, { autoApproveTools: ['Bash'] }, { strict: false }];

it.each(APPROVING)('%j approves in advance', (options) => {
  const sends = asking(['turn:send', 'session:create', 'plan:exit']);
  for (const refuse of [refuseApprovals, refuseTurnOptions]) {
    expect(codeOf(() => refuse(sends, options))).toBe('TOKEN_SCOPE');
    expect(codeOf(() => refuse(asking(['permission:answer', 'plan:exit']), options))).toBe('done');
    expect(codeOf(() => refuse(asking(['permission:answer'], 'agent'), options))).toBe('AGENT_MAY_NOT_APPROVE');
    expect(codeOf(() => refuse(asking(null), options))).toBe('done');
  }
});

it.each<[Options, Command]>([
  [{ model: 'opus' }, 'session:set_model'],
  [{ permissionMode: 'plan' }, 'plan:enter'],
  [{ permissionMode: 'default' }, 'plan:exit'],
])('%j of a turn needs the command %s', (options, command) => {
  expect(codeOf(() => refuseTurnOptions(asking(['turn:send']), options))).toBe('TOKEN_SCOPE');
  expect(codeOf(() => refuseTurnOptions(asking(['turn:send', command], 'agent'), options))).toBe('done');
});

it('what only narrows needs nothing', () => {
  const narrow: Options = {
    strict: true,
    autoApproveTools: [],
    tools: ['Read'],
    disallowedTools: ['Bash'],
    maxTurns: 1,
  };
  expect(codeOf(() => refuseTurnOptions(asking([], 'agent'), narrow))).toBe('done');
});

it.each<[Options, Parameters<typeof refuseLoosening>[2], string]>([
  [{ permissionMode: 'dontAsk' }, { permissionMode: 'default' }, 'AGENT_MAY_NOT_APPROVE'],
  [{ permissionMode: 'dontAsk' }, { permissionMode: 'plan' }, 'AGENT_MAY_NOT_APPROVE'],
  [{ permissionMode: 'dontAsk' }, { permissionMode: 'dontAsk', model: 'opus' }, 'done'],
  [{ permissionMode: 'acceptEdits' }, { permissionMode: 'default' }, 'done'],
  [{ permissionMode: 'plan' }, { permissionMode: 'default' }, 'done'],
  [{ maxBudgetUsd: '9' }, { maxBudgetUsd: '10' }, 'AGENT_MAY_NOT_APPROVE'],
  [{ maxBudgetUsd: '10' }, { maxBudgetUsd: '9' }, 'done'],
  [{ maxTurns: 3 }, { maxTurns: 4 }, 'AGENT_MAY_NOT_APPROVE'],
  [{ timeoutMs: 3_000 }, { timeoutMs: 4_000 }, 'AGENT_MAY_NOT_APPROVE'],
  [{}, { maxTurns: 4 }, 'done'],
  [{ strict: true }, { strict: null }, 'AGENT_MAY_NOT_APPROVE'],
  [{ disallowedTools: ['Bash'] }, { disallowedTools: null }, 'AGENT_MAY_NOT_APPROVE'],
  [{ model: 'opus' }, { model: null }, 'done'],
])('an agent that changes %j by %j: %s', (session, change, outcome) => {
  expect(codeOf(() => refuseLoosening(asking([], 'agent'), session, change))).toBe(outcome);
  expect(codeOf(() => refuseLoosening(asking([]), session, change))).toBe('done');
  expect(codeOf(() => refuseLoosening(asking(null), session, change))).toBe('done');
});
