import { COMMANDS, type Command } from '@chirality/contracts';
import { mayCommand, narrowedScope, reachesProject, reachesSession, reachesTeam, type TokenScope } from './token-scope';

const PROJECTS = ['proj_a', 'proj_b', 'proj_c'];
const SESSIONS = PROJECTS.flatMap((projectId) => [1, 2].map((n) => ({ id: `sess_${projectId}_${n}`, projectId })));

/** The same sequence for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomScope(next: (below: number) => number): TokenScope {
  const some = <T>(all: readonly T[]) => all.filter(() => next(2) === 0);
  return {
    ...(next(2) === 0 ? {} : { projects: some(PROJECTS) }),
    ...(next(2) === 0 ? {} : { sessions: some(SESSIONS.map(({ id }) => id)) }),
    ...(next(2) === 0 ? {} : { commands: some<Command>(COMMANDS) }),
    identityClass: next(2) === 0 ? 'human' : 'agent',
    expiresAtMs: next(5),
    mayMint: next(3) > 0,
  };
}

/** Everything that the scope allows, as one list. */
function reachOf(scope: TokenScope): string[] {
  return [
    ...COMMANDS.filter((command) => mayCommand(scope, command)),
    ...PROJECTS.filter((projectId) => reachesProject(scope, projectId)),
    ...SESSIONS.filter((session) => reachesSession(scope, session)).map(({ id }) => id),
    ...(reachesTeam(scope) ? ['team'] : []),
    ...(scope.identityClass === 'human' ? ['human'] : []),
  ];
}

describe('a token that another one makes', () => {
  it('never reaches what its maker does not, whatever is asked for', () => {
    const next = numbers(7);
    let made = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const parent = randomScope(next);
      const result = narrowedScope(parent, randomScope(next));
      if ('wider' in result) continue;
      made += 1;
      expect(parent.mayMint).toBe(true);
      expect(reachOf(parent)).toEqual(expect.arrayContaining(reachOf(result.scope)));
      expect(result.scope.expiresAtMs).toBeLessThanOrEqual(parent.expiresAtMs);
    }
    expect(made).toBeGreaterThan(100);
  });

  it('is as narrow as over any number of steps: a grandchild is within the first', () => {
    const next = numbers(11);
    for (let round = 0; round < 5_000; round += 1) {
      const first = randomScope(next);
      let last = first;
      for (let step = 0; step < 4; step += 1) {
        const result = narrowedScope(last, randomScope(next));
        if ('scope' in result) last = result.scope;
      }
      expect(reachOf(first)).toEqual(expect.arrayContaining(reachOf(last)));
    }
  });

  it('is what was asked for where that is within, with the rest from its maker', () => {
    const parent: TokenScope = { projects: ['proj_a'], identityClass: 'human', expiresAtMs: 9, mayMint: true };
    expect(
      narrowedScope(parent, { commands: ['events:read'], identityClass: 'agent', expiresAtMs: 8, mayMint: false }),
    ).toEqual({
      scope: {
        projects: ['proj_a'],
        commands: ['events:read'],
        identityClass: 'agent',
        expiresAtMs: 8,
        mayMint: false,
      },
    });
  });

  it.each([
    ['mayMint', { mayMint: false }, {}],
    ['identityClass', { identityClass: 'agent' as const }, {}],
    ['expiresAt', {}, { expiresAtMs: 10 }],
    ['projects', { projects: ['proj_a'] }, { projects: ['proj_a', 'proj_b'] }],
    ['sessions', { sessions: ['sess_1'] }, { sessions: ['sess_2'] }],
    ['commands', { commands: ['events:read' as const] }, { commands: ['turn:send' as const] }],
  ])('says that it would be wider in %s', (claim, parent, wanted) => {
    const base = { identityClass: 'human' as const, expiresAtMs: 9, mayMint: true };
    expect(narrowedScope({ ...base, ...parent }, { ...base, ...wanted })).toEqual({ wider: claim });
  });
});

it('a token for sessions reaches no project as such, unless that is named too', () => {
  const sessions = ['sess_1'];
  expect(reachesProject({ sessions }, 'proj_a')).toBe(false);
  expect(reachesProject({ sessions, projects: ['proj_a'] }, 'proj_a')).toBe(true);
  expect(reachesSession({ sessions, projects: ['proj_b'] }, { id: 'sess_1', projectId: 'proj_a' })).toBe(false);
});
