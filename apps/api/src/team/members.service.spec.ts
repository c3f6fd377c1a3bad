import type { SessionRepository, TeamRepository } from '@chirality/database';
import type { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import type { AccessChanges } from '../event/access-changes';
import { MembersService } from './members.service';
import type { TeamsService } from './teams.service';

it('a removal stands in the audit log even where the sessions that nobody took over could not be archived', async () => {
  const who = { user: { id: 'user_owner', name: 'Owner' }, roles: new Map([['team_1', 'owner']]), identityClass: 'human', clientId: 'client_1' } as unknown as Principal;
  const noted: unknown[] = [];
  const members = {
    listMembers: () => Promise.resolve([{ userId: 'user_bo', name: 'Bo', role: 'member' }]),
    privateSessionsOf: () => Promise.resolve(['sess_1']),
    removeMember: () => Promise.resolve('done'),
  };
  const service = new MembersService(
    { get: () => Promise.resolve({ id: 'team_1' }) } as unknown as TeamsService,
    members as unknown as TeamRepository,
    { archive: () => Promise.reject(new Error('the database is gone')) } as unknown as SessionRepository,
    { revoke: () => Promise.resolve() } as unknown as AccessChanges,
    { note: (_who: unknown, teamId: string, act: object) => Promise.resolve(noted.push({ teamId, ...act })) } as unknown as AuditTrail,
  );
  await expect(service.remove(who, 'team_1', 'user_bo', null)).rejects.toThrow('the database is gone');
  expect(noted).toMatchObject([{ teamId: 'team_1', action: 'member:remove', object: 'user_bo' }]);
});
