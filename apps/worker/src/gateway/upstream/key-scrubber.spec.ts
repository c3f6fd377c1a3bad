import { KeyScrubber, REDACTED_KEY, scrubKey } from './key-scrubber';

const KEY = 'sk-ant-sk-ant-secret';

async function through(key: string, parts: string[]): Promise<{ text: string; pieces: string[] }> {
  const scrubber = new KeyScrubber(key);
  const pieces: string[] = [];
  scrubber.on('data', (piece: Buffer) => pieces.push(piece.toString('latin1')));
  const ended = new Promise((resolve) => scrubber.once('end', resolve));
  for (const part of parts) scrubber.write(Buffer.from(part, 'latin1'));
  scrubber.end();
  await ended;
  return { text: Buffer.from(pieces.join(''), 'latin1').toString('utf8'), pieces };
}

describe('a key in what is passed on', () => {
  const text = `a${KEY}b sk-ant-sk-ant-sk-ant-secret sk-ant-s${KEY}${KEY} sk-ant-sk-ant-secre`;
  const clean = text.replaceAll(KEY, REDACTED_KEY);

  it('is taken out wherever the bytes are cut', async () => {
    for (let cut = 0; cut <= text.length; cut += 1)
      expect((await through(KEY, [text.slice(0, cut), text.slice(cut)])).text).toBe(clean);
    expect((await through(KEY, [...text])).text).toBe(clean);
    expect(scrubKey(text, KEY)).toBe(clean);
  });

  it('holds nothing else up', async () => {
    const { pieces } = await through(KEY, ['hello ', 'world s', 'un', 'sk-an']);
    expect(pieces).toEqual(['hello ', 'world ', 'sun', 'sk-an']);
  });

  it('is nothing where there is none', async () => {
    expect((await through('', ['abc', 'def'])).pieces).toEqual(['abc', 'def']);
    expect(scrubKey('abc', '')).toBe('abc');
  });
});
