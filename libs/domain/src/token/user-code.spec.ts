import { randomBytes } from 'node:crypto';
import { typedUserCode, USER_CODE_RANDOM_BYTES, userCodeOf } from './user-code';

describe('a code that a person types', () => {
  it('has eight letters that are not taken for others, each as likely', () => {
    const seen = new Map<string, number>();
    for (let round = 0; round < 2_000; round += 1) {
      const code = userCodeOf(randomBytes(USER_CODE_RANDOM_BYTES));
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      for (const letter of code.replace('-', '')) seen.set(letter, (seen.get(letter) ?? 0) + 1);
    }
    expect(seen.size).toBe(20);
    expect(Math.min(...seen.values())).toBeGreaterThan(600);
    expect(Math.max(...seen.values())).toBeLessThan(1_000);
  });

  it.each([
    ['WDJB-MJHT', 'WDJB-MJHT'],
    ['wdjbmjht', 'WDJB-MJHT'],
    [' wdjb  mjht ', 'WDJB-MJHT'],
    ['WDJB–MJHT', 'WDJB-MJHT'],
    ['WDJB-MJH', null],
    ['WDJB-MJHTT', null],
    ['WDJB-MJHA', null],
    ['WDJB-MJH1', null],
    ['', null],
  ])('%j is read as %j', (typed, code) => {
    expect(typedUserCode(typed)).toBe(code);
  });

  it('is not made of too few bytes', () => {
    expect(() => userCodeOf(new Uint8Array(20).fill(255))).toThrow(RangeError);
  });
});
