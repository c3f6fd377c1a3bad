import type { IdentityClass, Role, Visibility } from '@chirality/contracts';
import type { Principal } from './principal';
import { sessionPolicy } from './session.policy';

const OWNER = 'user_owner';

function person(userId: string, role: Role | null, identityClass: IdentityClass = 'human'): Principal {
  return {
    user: { id: userId, email: 'a@b.c', name: 'A', mustChangePassword: false },
    identityClass,
    clientId: 'test',
    familyId: 'tok',
    expiresAtMs: 0,
    roles: new Map(role === null ? [['team_other', 'owner']] : [['team_1', role]]),
  };
}

/** Letters of what is allowed: read, write, answer, manage, raw. */
function rights(who: Principal, visibility: Visibility): string {
  const session = { teamId: 'team_1', ownerId: OWNER, visibility };
  const may = {
    r: sessionPolicy.read,
    w: sessionPolicy.write,
    a: sessionPolicy.answer,
    m: sessionPolicy.manage,
    x: sessionPolicy.readRaw,
  };
  return Object.entries(may)
    .filter(([, allowed]) => allowed(who, session))
    .map(([letter]) => letter)
    .join('');
}

describe('who may do what in a session', () => {
  it.each<[string, Principal, Record<Visibility, string>]>([
    ['its owner', person(OWNER, 'member'), { private: 'rwamx', project: 'rwamx', project_read: 'rwamx' }],
    ['its owner, now a viewer', person(OWNER, 'viewer'), { private: 'r', project: 'r', project_read: 'r' }],
    ['its owner, removed from the team', person(OWNER, null), { private: '', project: '', project_read: '' }],
    ['a member', person('user_2', 'member'), { private: '', project: 'rwa', project_read: 'r' }],
    ['a viewer', person('user_3', 'viewer'), { private: '', project: 'r', project_read: 'r' }],
    ['an admin', person('user_4', 'admin'), { private: '', project: 'rwamx', project_read: 'rmx' }],
    ['the team’s owner', person('user_5', 'owner'), { private: '', project: 'rwamx', project_read: 'rmx' }],
    [
      'an agent of its owner',
      person(OWNER, 'member', 'agent'),
      { private: 'rwmx', project: 'rwmx', project_read: 'rwmx' },
    ],
    ['another team’s owner', person('user_6', null), { private: '', project: '', project_read: '' }],
  ])('%s', (_who, who, expected) => {
    expect({
      private: rights(who, 'private'),
      project: rights(who, 'project'),
      project_read: rights(who, 'project_read'),
    }).toEqual(expected);
  });
});
