import { VISIBILITY_NAMES, visibilityName } from './session-names';

it('tells an admin that a session of another person would be hidden from them, too', () => {
  expect(visibilityName('private', false)).toBe('Only its owner (not you)');
  expect(visibilityName('private', true)).toBe(VISIBILITY_NAMES.private);
  expect(visibilityName('project', false)).toBe(VISIBILITY_NAMES.project);
});
