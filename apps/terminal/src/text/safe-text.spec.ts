import fc from 'fast-check';
import type { Line } from '../transcript/line';
import { oneLine, safe, safeJson, safeText, visible } from './safe-text';

const OBEYED = new RegExp('[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]');
const anything = fc.string({ unit: 'binary', maxLength: 200 });
const hostile = fc
  .array(
    fc.oneof(
      anything,
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]52;c;aGk=\u0007',
        '\u009b31m',
        '\u202e',
        '\r',
        '\u001bP+q\u001b\\',
        '\u0007',
        '\u001b]8;;http://x\u001b\\',
        '\u2067',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('text of a server, model or tool', () => {
  it('holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeText(text)).not.toMatch(OBEYED);
        expect(visible(text)).not.toMatch(OBEYED);
        expect(safe`${oneLine(text)}`).not.toMatch(OBEYED);
        expect(oneLine(text)).not.toMatch(OBEYED);
        expect(oneLine(text)).not.toContain('\n');
      }),
    );
  });

  it('is whole and harmless as JSON', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeJson({ text })).not.toMatch(OBEYED);
        expect(JSON.parse(safeJson({ text }))).toEqual({ text });
      }),
    );
  });

  it('keeps what people read', () => {
    expect(safeText('Grüße\n\tיום טוב \u001b[31mred\u001b[0m')).toBe('Grüße\n    יום טוב red');
  });

  it('is a type of its text: what was not filtered cannot be a line', () => {
    const name: string = 'claude';
    // @ts-expect-error A string of a server, as it came.
    const line: Line = { text: name };
    // @ts-expect-error The same among words of ours.
    const words = safe`model ${name}`;
    expect([line.text, words]).toEqual(['claude', 'model claude']);
  });

  it('takes a time that grows with the text alone', () => {
    const began = performance.now();
    expect(oneLine(`${' '.repeat(300_000)}a${'\r'.repeat(300_000)}`)).toBe('a');
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
