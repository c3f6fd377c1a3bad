import fc from 'fast-check';
import { BlockSplitter } from './split-blocks';

const split = (text: string) => new BlockSplitter().split(text);

const ANSWER = [
  '# Title\n\n',
  'A paragraph\nof two lines.\n\n',
  '- one\n\n  more of one\n\n- two\n\n',
  '```ts\nconst a = 1;\n\n\nconst b = 2;\n```\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n\n',
  '1. first\n2. second\n\n   ```\n   code\n   ```\n\n',
  '> quote\n\n',
  'See [it][1].\n\n',
  '[1]: https://example.test\n\n',
  'End.',
];

describe('splitting markdown into blocks', () => {
  it('finds the blocks, with lists and fences whole', () => {
    const { settled, growing, definitions } = split(ANSWER.join(''));
    expect([...settled, growing]).toEqual(ANSWER);
    expect(definitions).toEqual(['[1]: https://example.test']);
  });

  it('settles nothing while a fence is open', () => {
    expect(split('```\na\n\nb\n\n').settled).toEqual([]);
    expect(split('~~~\n```\n\nx\n').settled).toEqual([]);
  });

  it('does not settle a list before it is clear that it has ended', () => {
    expect(split('- one\n\n').settled).toEqual([]);
    expect(split('- one\n\n-').settled).toEqual([]);
    expect(split('- one\n\nNew').settled).toEqual(['- one\n\n']);
  });

  it('gives the same blocks however the text grew, and loses none of it', () => {
    const line = fc.constantFrom(
      'text',
      '- item',
      '1. item',
      '  indented',
      '```',
      '~~~',
      '```js',
      '> quote',
      '| a |',
      '',
      '',
      '[a]: b',
      '`code`',
      '#',
    );
    const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 20 }), (whole, cuts) => {
        const splitter = new BlockSplitter();
        for (const cut of [...cuts].sort((a, b) => a - b)) splitter.split(whole.slice(0, cut));
        const grown = splitter.split(whole);
        expect([...grown.settled, grown.growing].join('')).toBe(whole);
        expect(grown).toEqual(split(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the identity of settled blocks while the text grows', () => {
    const splitter = new BlockSplitter();
    const before = splitter.split('One.\n\nTwo').settled;
    expect(splitter.split('One.\n\nTwo three').settled).toBe(before);
  });

  it('starts over for another text', () => {
    const splitter = new BlockSplitter();
    splitter.split('One.\n\nTwo.\n\nThree');
    expect(splitter.split('Other.\n\nText').settled).toEqual(['Other.\n\n']);
  });
});
