import fc from 'fast-check';
import { neutraliseOutput } from './neutralise-output';

describe('neutralising program output', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['screen and cursor', 'a\u001b[2Jb\u001b[10;5Hc', 'abc'],
    ['the window title', '\u001b]0;owned\u0007text', 'text'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u001b\\text', 'text'],
    ['links that say one thing and are another', '\u001b]8;;https://evil.test\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['an unfinished command, but not the lines below it', '\u001b]0;never ends\nnext', '\nnext'],
    ['overwritten lines', '10%\r50%\r100%\nnext\r\n', '100%\nnext\n'],
    ['one-byte controls', 'a\u009b31mb\u0000c\u0008d', 'ab⟨U+0000⟩c⟨U+0008⟩d'],
    ['turned reading direction', 'user\u202egnp.exe', 'user⟨U+202E⟩gnp.exe'],
  ])('handles %s', (_, input, output) => {
    expect(neutraliseOutput(input)).toBe(output);
  });

  it('leaves ordinary text alone', () => {
    const text = 'Zeile 1\n\tEinzug — 你好 🎉 é\n';
    expect(neutraliseOutput(text)).toBe(text);
  });

  it.each([
    ['carriage returns', 'a' + '\r'.repeat(1_000_000), 'a'],
    ['rows of carriage returns', 'a\r\r\n'.repeat(100_000), 'a\n'.repeat(100_000)],
    ['unfinished commands', '\u001b[1'.repeat(200_000), '1'.repeat(200_000)],
  ])('takes a time that grows with the text alone: %s', (_, input, output) => {
    const began = performance.now();
    expect(neutraliseOutput(input) === output).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('lets no control character through, whatever comes', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('\u001b', '\u001b[', '\u001b]', '\u009b', '\r', '\u0007', '\u202e', '\n'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const shown = neutraliseOutput(pieces.join(''));
        expect(
          [...shown].filter(
            (character) =>
              character !== '\n' && character !== '\t' && /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(character),
          ),
        ).toEqual([]);
      }),
    );
  });
});
