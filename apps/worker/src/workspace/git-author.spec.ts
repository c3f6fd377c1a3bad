import { gitAuthorEnvironment } from './git-author';

describe('the git author of a turn', () => {
  it('is author and committer alike', () => {
    expect(gitAuthorEnvironment({ name: 'Ada Lovelace', email: 'ada@example.com' })).toEqual({
      GIT_AUTHOR_NAME: 'Ada Lovelace',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada Lovelace',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    });
  });

  it.each([
    ['Eve <root@host>', 'Eve  root@host'],
    ['Line\nBreak', 'Line Break'],
    ['', 'Unknown'],
    [' <> ', 'Unknown'],
    ['.,;', 'Unknown'],
  ])('makes %j harmless', (name, expected) => {
    expect(gitAuthorEnvironment({ name, email: 'a@b' }).GIT_AUTHOR_NAME).toBe(expected);
  });

  it('cuts a long name between characters', () => {
    const { GIT_AUTHOR_NAME } = gitAuthorEnvironment({ name: '🎉'.repeat(500), email: 'a@b' });
    expect(GIT_AUTHOR_NAME).toBe('🎉'.repeat(200));
  });
});
