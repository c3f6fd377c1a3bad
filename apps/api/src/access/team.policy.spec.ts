import type { IdentityClass, Role } from '@chirality/contracts';
import type { TeamRepository } from '@chirality/database';
import { FoundingTeam } from '../instance/founding-team';
import { keyPolicy } from '../key/key.policy';
import { personaPolicy } from '../persona/persona.policy';
import { projectPolicy } from './project.policy';
import type { Principal } from './principal';
import { teamPolicy } from './team.policy';

const TEAM = 'team_1';
const PROJECT = { id: 'proj_1', teamId: TEAM, visibility: 'team' } as const;
const of = (role: Role, identityClass: IdentityClass) =>
  ({
    user: { id: 'user_1' },
    roles: new Map([[TEAM, role]]),
    projectRoles: new Map(),
    identityClass,
  }) as unknown as Principal;

/** What widens what an agent may do, or shows what was spent and done. */
const IN_PERSON: Record<string, (who: Principal) => boolean> = {
  'manages the team': (who) => teamPolicy.manage(who, { id: TEAM }),
  'makes owners': (who) => teamPolicy.manageOwners(who, { id: TEAM }),
  'reads what everyone spent': (who) => teamPolicy.readCost(who, { id: TEAM }),
  'reads what was spent': (who) => teamPolicy.readOwnCost(who, { id: TEAM }),
  'reads the audit log': (who) => teamPolicy.readAudit(who, { id: TEAM }),
  'manages a project': (who) => projectPolicy.manage(who, PROJECT),
  'writes personas': (who) => personaPolicy.edit(who, { teamId: TEAM }),
  'approves personas': (who) => personaPolicy.approve(who, PROJECT),
  'sets the team’s key': (who) => keyPolicy.change(who, { teamId: TEAM, scope: 'team' }),
  'sets a person’s key': (who) => keyPolicy.change(who, { teamId: TEAM, scope: 'user' }),
};

describe.each(Object.entries(IN_PERSON))('a user who %s', (_act, may) => {
  it('is an owner in person, never an agent in an owner’s name', () => {
    expect([may(of('owner', 'human')), may(of('owner', 'agent'))]).toEqual([true, false]);
  });

  it('is no viewer', () => {
    expect(may(of('viewer', 'human'))).toBe(false);
  });
});

it('everyone in the team sees who else is in it, but no agent in their name', () => {
  const roles: Role[] = ['owner', 'admin', 'member', 'viewer'];
  expect(
    roles.map((role) => [
      teamPolicy.listMembers(of(role, 'human'), { id: TEAM }),
      teamPolicy.listMembers(of(role, 'agent'), { id: TEAM }),
    ]),
  ).toEqual(roles.map(() => [true, false]));
});

it.each<[Role, IdentityClass, boolean]>([
  ['owner', 'human', true],
  ['admin', 'human', true],
  ['member', 'human', false],
  ['owner', 'agent', false],
])('the installation, prices among it, is run by %s %s: %s', async (role, identityClass, runs) => {
  const founders = new FoundingTeam({ findOldestId: async () => TEAM } as TeamRepository);
  expect(await founders.runBy(of(role, identityClass))).toBe(runs);
});

it('an agent works where its person works', () => {
  expect([
    teamPolicy.read(of('member', 'agent'), { id: TEAM }),
    teamPolicy.contribute(of('member', 'agent'), { id: TEAM }),
    projectPolicy.contribute(of('viewer', 'agent'), PROJECT),
  ]).toEqual([true, true, false]);
});
