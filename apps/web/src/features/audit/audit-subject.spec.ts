import { newId } from '@chirality/domain';
import { auditSubject } from './audit-subject';

const SHOP = newId('project');
const TESTS = newId('session');
const OTHER = newId('session');
const PLACES = {
  projects: [{ id: SHOP, name: 'Shop' }],
  sessions: [{ id: TESTS, projectId: SHOP, title: 'Check the tests' }],
};
const shop = { id: SHOP, name: 'Shop' };
const tests = { id: TESTS, title: 'Check the tests' };

describe('what an act was about', () => {
  it.each([
    ['a project', SHOP, {}, { project: shop, session: null }],
    ['a session with its project', TESTS, {}, { project: shop, session: tests }],
    ['the session that its detail names', 'turn_1', { sessionId: TESTS }, { project: shop, session: tests }],
    ['the project that its detail names', 'rule_1', { projectId: SHOP }, { project: shop, session: null }],
    [
      'a session that the lists do not have',
      'turn_1',
      { sessionId: OTHER },
      { project: null, session: { id: OTHER, title: null } },
    ],
    ['neither', 'user_1', { sessionId: 'no id', projectId: 3 }, { project: null, session: null }],
  ])('is %s', (_, object, detail, expected) => {
    expect(auditSubject({ object, detail }, PLACES)).toEqual(expected);
  });
});
