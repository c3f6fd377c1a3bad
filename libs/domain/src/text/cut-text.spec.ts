import fc from 'fast-check';
import { cutText, headOf, previewText, tailOf } from './cut-text';

const unicode = fc.string({ unit: fc.constantFrom('a', 'é', '🙂', '漢', ' ', '\n') });
const isWellFormed = (text: string): boolean => text === new TextDecoder().decode(new TextEncoder().encode(text));

describe('cutting text', () => {
  it('stays within the limit, keeps what fits, and never halves a character', () => {
    fc.assert(
      fc.property(unicode, fc.integer({ min: 0, max: 30 }), (text, limit) => {
        const cut = cutText(text, limit);
        expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(isWellFormed(cut) && isWellFormed(headOf(text, limit)) && isWellFormed(tailOf(text, limit))).toBe(true);
        if (text.length <= limit) expect(cut).toBe(text);
        else if (limit > 0) expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true);
        expect(text.startsWith(headOf(text, limit)) && text.endsWith(tailOf(text, limit))).toBe(true);
      }),
    );
  });

  it('makes one line of a preview', () => {
    expect(previewText('  a\n\n b\tc  ', 10)).toBe('a b c');
    expect(previewText('one two three', 8)).toBe('one two…');
  });
});
