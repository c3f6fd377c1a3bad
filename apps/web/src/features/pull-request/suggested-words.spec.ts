import { askedForPart, suggestedBody, suggestedTitle } from './suggested-words';

const facts = {
  commits: ['Say ten', 'Count to ten'],
  files: [{ path: 'src/count.ts', additions: 3, deletions: 1 }],
  totalFiles: 1,
};
const link = 'https://chirality.example/sessions/sess_1';

describe('the suggested words of a pull request', () => {
  it('are the session’s title, its commits, oldest first, its files and the way back', () => {
    expect(suggestedTitle('Count to ten', facts)).toBe('Count to ten');
    expect(suggestedBody(facts, link)).toBe(
      [
        '## Commits\n\n- Count to ten\n- Say ten',
        '## Changed files\n\n- `src/count.ts` (+3 −1)',
        `[Session in Chirality](${link})`,
      ].join('\n\n'),
    );
  });

  it('are the first commit’s where no one named the session', () => {
    expect(suggestedTitle('New session', facts)).toBe('Count to ten');
    expect(suggestedTitle('New session', { ...facts, commits: [] })).toBe('');
  });

  it('do not end in half a character', () => {
    expect(suggestedTitle(`${'a'.repeat(249)}👍`, facts)).toBe('a'.repeat(249));
    expect(suggestedTitle(`${'a'.repeat(248)}👍 more`, facts)).toBe(`${'a'.repeat(248)}👍`);
  });

  it('hold what was asked for only as a part that is added', () => {
    expect(suggestedBody(facts, link)).not.toContain('Asked for');
    expect(askedForPart(['Count\nto ten', 'Again'])).toBe('## Asked for\n\n> Count\n> to ten\n\n> Again');
  });

  it('say how many files are not listed, and keep a name with a backtick in its span', () => {
    const files = [{ path: 'a`b', additions: 0, deletions: 0 }];
    const body = suggestedBody({ commits: [], files, totalFiles: 4 }, link);
    expect(body).toContain('- `` a`b `` (+0 −0)\n- and 3 more');
  });
});
