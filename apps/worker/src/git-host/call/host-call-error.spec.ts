import { wordsOf } from './host-call-error';

describe('what a host says, as it is shown', () => {
  const token = 'glpat-0123456789abcdef';

  it('holds nothing of the token, however the host spells it', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
    for (const spelled of [token, base64(token), base64(`git:${token}`)]) {
      const words = wordsOf(`You sent\u0007 ${spelled}!`, token);
      expect(words).toMatch(/^You sent «(?:token»|redacted:)/);
      expect(words).not.toContain(spelled);
    }
    // Where the text is cut, no half of it is left.
    expect(wordsOf(`${`${token} `.repeat(200)}`, token)).not.toContain('glpat');
  });

  it('is one line of a sensible length', () => {
    expect(wordsOf(' a\nb\tc ', null)).toBe('a b c');
    expect(wordsOf('x'.repeat(5_000), null).length).toBeLessThanOrEqual(301);
  });
});
