import type { Role, Session } from '@chirality/contracts';
import { mayManage, mayRestore } from './may-manage';

type Case = [ownerId: string, visibility: Session['visibility'], role: Role | undefined, expected: boolean];

it.each<Case>([
  ['me', 'private', 'member', true],
  ['me', 'project', 'viewer', false],
  ['me', 'project', undefined, false],
  ['other', 'project', 'member', false],
  ['other', 'project_read', 'admin', true],
  ['other', 'private', 'owner', false],
])('a session of %s that is %s is managed by a %s: %s', (ownerId, visibility, role, expected) => {
  expect(mayManage({ ownerId, visibility, status: 'idle' }, 'me', role)).toBe(expected);
  expect(mayManage({ ownerId, visibility, status: 'archived' }, 'me', role)).toBe(false);
  expect(mayRestore({ ownerId, visibility, status: 'archived' }, 'me', role)).toBe(expected);
  expect(mayRestore({ ownerId, visibility, status: 'idle' }, 'me', role)).toBe(false);
});
