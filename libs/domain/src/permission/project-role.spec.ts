import type { ProjectRole, ProjectVisibility, Role } from '@chirality/contracts';
import { projectRoleOf } from './project-role';

describe('what a person may do in a project', () => {
  it.each<[Role | null, ProjectVisibility, ProjectRole | null, ProjectRole | null]>([
    ['owner', 'members', null, 'manage'],
    ['admin', 'members', 'read', 'manage'],
    ['member', 'team', null, 'write'],
    ['member', 'team', 'read', 'read'],
    ['member', 'team', 'manage', 'manage'],
    ['member', 'members', null, null],
    ['member', 'members', 'write', 'write'],
    ['viewer', 'team', null, 'read'],
    ['viewer', 'members', null, null],
    ['viewer', 'members', 'manage', 'read'],
    [null, 'team', null, null],
    [null, 'members', 'manage', null],
  ])('%s of the team, a project of the %s, named %s: %s', (team, visibility, member, expected) => {
    expect(projectRoleOf({ team, visibility, member })).toBe(expected);
  });
});
