import { readRefreshToken, refreshTokenOf } from './refresh-token';

const key = Buffer.alloc(32, 7);
const family = { familyId: 'tok_01J00000000000000000000000', generation: 4 };

describe('a refresh token', () => {
  it('reads back what it was made for', () => {
    expect(readRefreshToken(key, refreshTokenOf(key, family))).toEqual(family);
  });

  it('is the same for the same generation and another for the next', () => {
    expect(refreshTokenOf(key, family)).toBe(refreshTokenOf(key, family));
    expect(refreshTokenOf(key, { ...family, generation: 5 })).not.toBe(refreshTokenOf(key, family));
  });

  it.each([
    ['another key', refreshTokenOf(Buffer.alloc(32, 8), family)],
    ['a raised generation', refreshTokenOf(key, family).replace('.4.', '.5.')],
    ['a padded generation', refreshTokenOf(key, family).replace('.4.', '.04.')],
    ['another family', refreshTokenOf(key, family).replace('01J', '01K')],
    ['nothing', ''],
    ['a part', refreshTokenOf(key, family).slice(0, -1)],
    ['something longer', `${refreshTokenOf(key, family)}A`],
  ])('is refused with %s', (_what, token) => {
    expect(readRefreshToken(key, token)).toBeNull();
  });
});
