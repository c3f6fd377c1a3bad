import { TOKEN_ACCESS, tokenSummary } from './token-summary';

const nameOf = (id: string) => `“${id}”`;

describe('what a token can do, in words', () => {
  it('names what it reads and runs, where, and that an agent answers no one', () => {
    const claims = { commands: [...TOKEN_ACCESS.run], projects: ['shop'] };
    expect(tokenSummary({ identityClass: 'agent', mayMint: false, claims }, nameOf)).toEqual([
      'Can read sessions and their files, start sessions, send messages to Claude, and so run commands in its sandbox and interrupt turns – in “shop”.',
      'Acts as an agent: it can never answer permission requests. Unanswered ones are denied after a minute.',
      'Can never push, change settings, or see members and keys.',
    ]);
  });

  it('without claims is everything a token may', () => {
    const [acts, ...others] = tokenSummary({ identityClass: 'human', mayMint: true, claims: {} }, nameOf);
    expect(acts).toContain('answer permission requests');
    expect(acts).toContain('all projects that you can see');
    expect(others).toContain('Can create further tokens that can do no more than itself.');
  });

  it.each([
    [{ sessions: ['a'] }, 'one session'],
    [{ sessions: ['a', 'b'] }, '2 sessions'],
    [{ commands: ['custom' as const] }, 'Can do nothing'],
  ])('of %j says %s', (claims, words) => {
    expect(tokenSummary({ identityClass: 'agent', mayMint: false, claims }, nameOf)[0]).toContain(words);
  });
});
