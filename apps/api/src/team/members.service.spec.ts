import type {
  ApiTokenRepository,
  PasswordResetRepository,
  ServiceAccountRepository,
  SessionRepository,
  TeamRepository,
  UnpushedWorkRepository,
} from '@chirality/database';
import type { AccessChanges } from '../access/access-changes';
import type { Principal } from '../access/principal';
import type { AuditTrail } from '../audit/audit-trail';
import { MembersService } from './members.service';
import type { TeamsService } from './teams.service';

const who = {
  user: { id: 'user_owner', name: 'Owner' },
  roles: new Map([['team_1', 'owner']]),
  identityClass: 'human',
  clientId: 'client_1',
} as unknown as Principal;

function team(archive: () => Promise<boolean> = () => Promise.resolve(true)) {
  const noted: unknown[] = [];
  const voided: string[] = [];
  const changed: object[] = [];
  const members = {
    listMembers: () =>
      Promise.resolve([
        { userId: 'user_bo', name: 'Bo', role: 'member' },
        { userId: 'user_ada', name: 'Ada', role: 'admin' },
      ]),
    privateSessionsOf: () => Promise.resolve(['sess_1']),
    removeMember: () => Promise.resolve('done'),
    changeRole: () => Promise.resolve('done'),
  };
  const resets = {
    voidOf: (userId: string) => Promise.resolve(voided.push(userId)),
    voidInTeam: (teamId: string) => Promise.resolve(voided.push(teamId)),
  };
  const service = new MembersService(
    { get: () => Promise.resolve({ id: 'team_1' }) } as unknown as TeamsService,
    members as unknown as TeamRepository,
    { archive } as unknown as SessionRepository,
    { countPrivateOf: () => Promise.resolve(0) } as unknown as UnpushedWorkRepository,
    resets as unknown as PasswordResetRepository,
    {
      revokeOfMember: () => Promise.resolve([{ id: 'tok_1', userId: 'user_bot' }]),
      revokeMadeForAccounts: () => Promise.resolve([]),
    } as unknown as ApiTokenRepository,
    {
      list: () =>
        Promise.resolve([
          { id: 'user_bot', teamId: 'team_1' },
          { id: 'user_far', teamId: 'team_2' },
        ]),
    } as unknown as ServiceAccountRepository,
    {
      revoke: (change: object) => Promise.resolve(changed.push(change)),
      tell: (change: object) => changed.push(change),
    } as unknown as AccessChanges,
    {
      note: (_who: unknown, teamId: string, act: object) => Promise.resolve(noted.push({ teamId, ...act })),
    } as unknown as AuditTrail,
  );
  return { service, noted, voided, changed };
}

it('a removal is in the audit log even where private sessions could not be archived', async () => {
  const { service, noted } = team(() => Promise.reject(new Error('the database is gone')));
  await expect(service.remove(who, 'team_1', 'user_bo', null)).rejects.toThrow('the database is gone');
  expect(noted).toMatchObject([{ teamId: 'team_1', action: 'member:remove', object: 'user_bo' }]);
});

it('what is open of a member who leaves, of the tokens they made and the accounts they answer for ends at once', async () => {
  const { service, changed } = team();
  await service.remove(who, 'team_1', 'user_bo', null);
  expect(changed).toEqual([{ userId: 'user_bot', familyId: 'tok_1' }, { userId: 'user_bo' }, { userId: 'user_bot' }]);
});

describe('unused reset links', () => {
  it('of a member whose role changes are void: they would reach what their maker may not', async () => {
    const { service, voided } = team();
    await service.setRole(who, 'team_1', 'user_bo', 'owner');
    expect(voided).toEqual(['user_bo']);
  });

  it.each([
    ['is removed', (service: MembersService) => service.remove(who, 'team_1', 'user_ada', null)],
    ['loses that role', (service: MembersService) => service.setRole(who, 'team_1', 'user_ada', 'viewer')],
  ])('of all members are void when a member who could make them %s', async (_, change) => {
    const { service, voided } = team();
    await change(service);
    expect(voided).toEqual(['user_ada', 'team_1']);
  });
});
