import type { Command, IdentityClass, Options } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { refuseApprovals, refuseTurnOptions } from './refuse-beyond-grant';

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
