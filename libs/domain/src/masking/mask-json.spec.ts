import fc from 'fast-check';
import { maskJson } from './mask-json';
import { parseMaskPattern } from './mask-pattern';
import { maskText } from './mask-text';
import { SAMPLES } from '../../test/masking-samples';

const token = SAMPLES['github-token'] ?? '';
const privateKey = SAMPLES['private-key'] ?? '';

describe('masking JSON', () => {
  it('masks strings and keys at any depth and leaves everything else alone', () => {
    expect(maskJson({ a: [1, null, { [token]: `x ${token}` }], b: true })).toEqual({
      a: [1, null, { '«redacted:github-token»': 'x «redacted:github-token»' }],
      b: true,
    });
  });

  it('gives the same object back where nothing was found', () => {
    const value = { a: ['b', { c: 1 }], d: null };
    expect(maskJson(value)).toBe(value);
    fc.assert(fc.property(fc.jsonValue(), (json) => expect(maskJson(json)).toBe(json)));
  });

  it('finds a private key that lies line by line in a patch', () => {
    const lines = privateKey.split('\n').map((line) => `+${line}`);
    const masked = maskJson({ structuredPatch: [{ lines: [' before', ...lines, ' after'] }] });
    expect(masked.structuredPatch[0]?.lines).toEqual([' before', '+«redacted:private-key»', ' after']);
  });

  it('finds a key in the numbered lines of a file', () => {
    const numbered = privateKey
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join('\n');
    expect(maskJson({ content: `${numbered}\n   24→done` })).toEqual({
      content: '     1→«redacted:private-key»\n   24→done',
    });
  });

  it('does not let two masked keys become one', () => {
    expect(Object.keys(maskJson({ [token]: 1, [`${token}9`]: 2 }))).toEqual([
      '«redacted:github-token»',
      '«redacted:github-token» (2)',
    ]);
  });

  it('replaces what lies too deep to look through', () => {
    let deep: unknown = token;
    for (let i = 0; i < 50_000; i += 1) deep = [deep];
    const text = JSON.stringify(maskJson(deep));
    expect(text).not.toContain(token);
    expect(text).toContain('«redacted:too-deep»');
  });

  it('keeps a key named __proto__ a key', () => {
    const hostile: unknown = JSON.parse(`{"__proto__":{"x":"${token}"},"a":1}`);
    expect(JSON.stringify(maskJson(hostile))).toBe('{"__proto__":{"x":"«redacted:github-token»"},"a":1}');
  });
});

describe("a team's own patterns", () => {
  it('are literals, or a start and a run of characters', () => {
    const patterns = [parseMaskPattern('hunter2!'), parseMaskPattern('acme_{token,8}', 'acme-token')];
    expect(maskText('xhunter2!x acme_12345678-9 acme_123', patterns)).toBe(
      'x«redacted:team-secret»x «redacted:acme-token» acme_123',
    );
  });

  it('may hold any characters', () => {
    for (const literal of ['пароль-1', '🙂🙂🙂🙂', '"quoted"', ' spaces '])
      expect(maskText(`a${literal}b`, [parseMaskPattern(literal)])).toBe('a«redacted:team-secret»b');
  });

  it.each(['abc', '', 'a{token,5}', 'acme_{token,0}', 'acme_{token,5000}'])('%j is refused', (text) =>
    expect(() => parseMaskPattern(text)).toThrow(RangeError),
  );
});
