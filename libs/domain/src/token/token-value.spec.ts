import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isTokenValue, isWholeTokenValue, TOKEN_RANDOM_BYTES, tokenValueOf } from './token-value';

const fresh = () => tokenValueOf(randomBytes(TOKEN_RANDOM_BYTES));

describe('the value of a token', () => {
  it('is known by its start, and whole by its checksum', () => {
    for (let round = 0; round < 200; round += 1) {
      const value = fresh();
      expect(value).toMatch(/^chi_[0-9A-Za-z]{46}$/);
      expect([isTokenValue(value), isWholeTokenValue(value)]).toEqual([true, true]);
    }
  });

  it('has the CRC-32 of its random part in base 62, as docs/tokens.md says', () => {
    const value = fresh();
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const read = [...value.slice(44)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(read).toBe(crc32(value.slice(4, 44)));
  });

  it('is refused with one character changed, too short or too long', () => {
    const value = fresh();
    for (let at = 4; at < value.length; at += 1) {
      const other = value[at] === 'a' ? 'b' : 'a';
      expect(isWholeTokenValue(`${value.slice(0, at)}${other}${value.slice(at + 1)}`)).toBe(false);
    }
    for (const wrong of [value.slice(0, -1), `${value}a`, value.slice(4), '', 'chi_'])
      expect(isWholeTokenValue(wrong)).toBe(false);
  });

  it('needs enough random bytes, and uses no byte that would prefer some letters', () => {
    expect(() => tokenValueOf(new Uint8Array(39))).toThrow(RangeError);
    expect(() => tokenValueOf(new Uint8Array(80).fill(255))).toThrow(RangeError);
  });
});
