import { parseSearch, queryText } from './search-query';
import { searchSnippet } from './search-snippet';
import { indexedText } from './search-words';
import { searchedTexts } from './searched-texts';

function termsOf(text: string) {
  const parsed = parseSearch(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.terms;
}
function marked(text: string, search: string): { snippet: string; marked: string[] } {
  const { snippet, marks } = searchSnippet(text, termsOf(search));
  return { snippet, marked: marks.map(({ start, end }) => snippet.slice(start, end)) };
}

describe('words of a search', () => {
  it('are letters and digits, without case and accents; signs of unspaced scripts stand alone', () => {
    expect(indexedText('Résumé of foo_bar(src/main.ts), 日本語 ÅNGSTRÖM')).toBe(
      'resume of foo bar src main ts 日 本 語 angstrom',
    );
    expect(indexedText(`x ${'a'.repeat(65)} y`)).toBe('x y');
  });

  it('make terms: quotes and joined words are phrases, the last word may be a beginning', () => {
    expect(termsOf('fix "two words" foo_bar pay').map(queryText)).toEqual([
      `'fix'`,
      `'two' <-> 'words'`,
      `'foo' <-> 'bar'`,
      `'pay':*`,
    ]);
    expect(termsOf('pay ').map(queryText)).toEqual([`'pay'`]);
  });

  it('are refused with what to do about it', () => {
    expect(['', '  ', '& | !', '"open', 'a '.repeat(13)].map((text) => 'fault' in parseSearch(text))).toEqual(
      Array.from({ length: 5 }, () => true),
    );
  });

  it('never become operators', () => {
    expect(termsOf(`it's & !x | (y):*`).map(queryText)).toEqual([`'it' <-> 's'`, `'x'`, `'y'`]);
  });
});

describe('what of an event can be searched for', () => {
  it('is what was said, what a tool took with its path apart, and what it returned', () => {
    const input = { file_path: '/workspace/a.ts', old_string: 'one', new_string: 'two', edits: [{ text: 'three' }] };
    expect([
      searchedTexts({ kind: 'turn:queued', payload: { turnKind: 'message', message: 'hello', position: null } }),
      searchedTexts({ kind: 'chat:complete', payload: { messageId: 'm', block: 0, text: 'answer' } }),
      searchedTexts({ kind: 'tool:start', payload: { toolUseId: 't', name: 'Edit', input, mutating: true } }),
      searchedTexts({
        kind: 'tool:result',
        payload: {
          toolUseId: 't',
          content: [
            { type: 'text', text: 'out' },
            { type: 'image', source: { type: 'base64', data: 'AAAA' } },
          ],
          isError: false,
          durationMs: 1,
        },
      }),
      searchedTexts({ kind: 'chat:delta', payload: { messageId: 'm', block: 0, text: 'answer' } }),
    ]).toEqual([
      [{ field: 'message', text: 'hello' }],
      [{ field: 'answer', text: 'answer' }],
      [
        { field: 'file', text: '/workspace/a.ts' },
        { field: 'tool_input', text: 'one\ntwo\nthree' },
      ],
      [{ field: 'tool_output', text: 'out' }],
      [],
    ]);
  });

  it('is bounded, with the beginning and the end of an output', () => {
    const [row] = searchedTexts({
      kind: 'tool:result',
      payload: { toolUseId: 't', content: `begin ${'x'.repeat(9_000)} failed`, isError: true, durationMs: 1 },
    });
    expect(row?.text.length).toBeLessThan(2_010);
    expect(row?.text).toMatch(/^begin x+ … x+ failed$/);
  });
});

describe('a snippet', () => {
  it('begins a little before what was found, on one line, and says where it stands', () => {
    const text = `${'word '.repeat(50)}the\nRésumé of it ${'more '.repeat(80)}`;
    const { snippet, marked: found } = marked(text, 'resume');
    expect(found).toEqual(['Résumé']);
    expect(snippet).toMatch(/^…(word )+the Résumé of it (more )+.*…$/);
    expect(snippet.length).toBeLessThan(230);
  });

  it('marks phrases, beginnings, parts of names and other forms of a word', () => {
    expect(marked('call foo_bar here', 'foo_bar').marked).toEqual(['foo_bar']);
    expect(marked('the payment', 'pay').marked).toEqual(['payment']);
    expect(marked('src/order-repository.ts', 'eposit').marked).toEqual(['eposit']);
    expect(marked('it was running', 'runs ').marked).toEqual(['running']);
    expect(marked('これは日本語です', '日本').marked).toEqual(['日本']);
  });

  it('holds no control characters and cuts no sign in two', () => {
    const { snippet } = searchSnippet(`a\u202Eb\0 ${'😀'.repeat(300)}`, termsOf('b'));
    expect(snippet).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(snippet.isWellFormed()).toBe(true);
  });
});
