import { linkMentions } from './link-mentions';

type Node = { type: string; value?: string; url?: string; children?: Node[] };

function linked(...children: Node[]): Node[] {
  const tree: Node = { type: 'paragraph', children };
  linkMentions()(tree);
  return tree.children ?? [];
}
const link = (url: string, shown: Node) => ({ type: 'link', url, children: [shown] });

describe('paths that an answer mentions', () => {
  it.each([
    ['src/a.ts:42', 'src/a.ts#L42'],
    ['src/a.ts:42:7', 'src/a.ts#L42'],
    ['src/a.ts:42-50', 'src/a.ts#L42'],
    ['./src/a.ts', './src/a.ts'],
    ['/workspace/src/a.ts', '/workspace/src/a.ts'],
    ['docs/日本語.md', 'docs/%E6%97%A5%E6%9C%AC%E8%AA%9E.md'],
    ['a#b.ts:1', 'a%23b.ts#L1'],
    ['README.md', 'README.md'],
  ])('are links as code: %s', (text, url) => {
    const code = { type: 'inlineCode', value: text };
    expect(linked(code)).toEqual([link(url, code)]);
  });

  it.each(['npm test', 'x', 'a/b', 'https://a.example/b.ts', '1.5', 'foo()', 'v1.2.3', 'src/'])(
    'are not: %s',
    (text) => {
      const code = { type: 'inlineCode', value: text };
      expect(linked(code)).toEqual([code]);
    },
  );

  it('are links in a sentence where a line is named, and nowhere else', () => {
    expect(linked({ type: 'text', value: 'See src/a.ts:42, or b.ts.' })).toEqual([
      { type: 'text', value: 'See ' },
      link('src/a.ts#L42', { type: 'text', value: 'src/a.ts:42' }),
      { type: 'text', value: ', or b.ts.' },
    ]);
    for (const value of ['at example.org:8080/x', 'https://a.example/b.ts:1', 'nothing', ''])
      expect(linked({ type: 'text', value })).toEqual([{ type: 'text', value }]);
  });

  it('leave links as they are, and are found below other marks', () => {
    const code = { type: 'inlineCode', value: 'a.ts' };
    expect(linked(link('b.ts', code))).toEqual([link('b.ts', code)]);
    expect(linked({ type: 'strong', children: [code] })).toEqual([{ type: 'strong', children: [link('a.ts', code)] }]);
  });
});
