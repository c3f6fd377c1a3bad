import type { IdentityClass, ProjectRole, ProjectVisibility, Role, Visibility } from '@chirality/contracts';
import type { Principal } from './principal';
import { sessionPolicy } from './session.policy';

const OWNER = 'user_owner';

function person(
  userId: string,
  role: Role | null,
  identityClass: IdentityClass = 'human',
  projectRole?: ProjectRole,
): Principal {
  return {
    user: { id: userId, email: 'a@b.c', name: 'A', mustChangePassword: false },
    identityClass,
    clientId: 'test',
    familyId: 'tok',
    expiresAtMs: 0,
    roles: new Map(role === null ? [['team_other', 'owner']] : [['team_1', role]]),
    projectRoles: new Map(projectRole ? [['proj_1', projectRole]] : [['proj_2', 'manage']]),
  };
}

/** Letters of what is allowed: read, write, answer, manage, raw. */
function rights(who: Principal, visibility: Visibility, projectVisibility: ProjectVisibility = 'team'): string {
  const session = {
    id: 'sess_1',
    teamId: 'team_1',
    projectId: 'proj_1',
    projectVisibility,
    ownerId: OWNER,
    visibility,
  };
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

  it.each<[string, Principal, Record<Visibility, string>]>([
    [
      'its owner, whom the project names no longer',
      person(OWNER, 'member'),
      { private: '', project: '', project_read: '' },
    ],
    ['a member of the team', person('user_2', 'member'), { private: '', project: '', project_read: '' }],
    ['a viewer of the team', person('user_3', 'viewer'), { private: '', project: '', project_read: '' }],
    [
      'its owner',
      person(OWNER, 'member', 'human', 'write'),
      { private: 'rwamx', project: 'rwamx', project_read: 'rwamx' },
    ],
    [
      'its owner, who may only read',
      person(OWNER, 'member', 'human', 'read'),
      { private: 'r', project: 'r', project_read: 'r' },
    ],
    ['one who reads', person('user_2', 'member', 'human', 'read'), { private: '', project: 'r', project_read: 'r' }],
    [
      'one who writes',
      person('user_2', 'member', 'human', 'write'),
      { private: '', project: 'rwa', project_read: 'r' },
    ],
    [
      'one who manages',
      person('user_2', 'member', 'human', 'manage'),
      { private: '', project: 'rwamx', project_read: 'rmx' },
    ],
    [
      'an agent of one who manages',
      person('user_2', 'member', 'agent', 'manage'),
      { private: '', project: 'rw', project_read: 'r' },
    ],
    [
      'a viewer of the team who is named to write',
      person('user_3', 'viewer', 'human', 'write'),
      { private: '', project: 'r', project_read: 'r' },
    ],
    ['an admin of the team', person('user_4', 'admin'), { private: '', project: 'rwamx', project_read: 'rmx' }],
    [
      'another team’s owner, who is named',
      person('user_6', null, 'human', 'manage'),
      { private: '', project: '', project_read: '' },
    ],
  ])('%s, where the project is its members’', (_who, who, expected) => {
    expect({
      private: rights(who, 'private', 'members'),
      project: rights(who, 'project', 'members'),
      project_read: rights(who, 'project_read', 'members'),
    }).toEqual(expected);
  });
});
