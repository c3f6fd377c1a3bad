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

  it('keeps a bounded amount of a flood', () => {
    const tail = new StderrTail(() => undefined);
    for (let i = 0; i < 1_000; i += 1) tail.push(Buffer.from('x'.repeat(10_000)));
    tail.end();
    expect(tail.lastLines().length).toBe(2_000);
  });
});
