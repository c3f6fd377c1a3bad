import { maskHead, maskText, variableMasks } from '@chirality/domain';
import { StderrTail } from './stderr-tail';

describe('the tail of stderr', () => {
  it('joins lines and characters that arrive in pieces', () => {
    const lines: string[] = [];
    const tail = new StderrTail((line) => lines.push(line));
    const bytes = Buffer.from('fehlt: é\nzweite\r\n\nlast');
    for (const byte of bytes) tail.push(Buffer.from([byte]));
    tail.end();
    expect(lines).toEqual(['fehlt: é', 'zweite', 'last']);
    expect(tail.lastLines()).toBe('fehlt: é\nzweite\nlast');
  });

  it('masks a line before it is cut, and knows that it was, however it arrived', () => {
    const value = 'correct-horse-battery-staple-0123456789';
    const masks = variableMasks([value]);
    const text = `${'x'.repeat(1_980)} ${value} ${'y'.repeat(3_000)}\nshort ${value}\n`;
    for (const step of [1, 700, text.length]) {
      const tail = new StderrTail(
        () => undefined,
        (line, isCut) => (isCut ? maskHead(line, masks) : maskText(line, masks)),
      );
      for (let at = 0; at < text.length; at += step) tail.push(Buffer.from(text.slice(at, at + step)));
      expect(tail.lastLines()).toBe(`${'x'.repeat(1_980)} \nshort «redacted:project-variable»`);
    }
  });

  it('keeps a bounded amount of a flood', () => {
    const tail = new StderrTail(() => undefined);
    for (let i = 0; i < 1_000; i += 1) tail.push(Buffer.from('x'.repeat(10_000)));
    tail.end();
    expect(tail.lastLines().length).toBe(2_000);
  });
});
