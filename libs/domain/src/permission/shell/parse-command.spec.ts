import fc from 'fast-check';
import { parseCommand } from './parse-command';

function wordsOf(text: string): string[][] {
  const parsed = parseCommand(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.commands.map((command) => [...command.assignments, ...command.words.map((word) => word.text)]);
}

describe('splitting a shell command', () => {
  it.each<[string, string[][]]>([
    ['ls -la', [['ls', '-la']]],
    ['  ls\t-la  ', [['ls', '-la']]],
    [
      'git add . && git commit -m "two words"',
      [
        ['git', 'add', '.'],
        ['git', 'commit', '-m', 'two words'],
      ],
    ],
    ['a || b; c | d |& e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a\nb\n\nc', [['a'], ['b'], ['c']]],
    ['a && \n b', [['a'], ['b']]],
    ['sleep 5 &', [['sleep', '5']]],
    ['a;', [['a']]],
    [
      `echo 'single $HOME' "a \\"quoted\\" word" un\\ quoted`,
      [['echo', 'single $HOME', 'a "quoted" word', 'un quoted']],
    ],
    ["grep 'a;b|c' x", [['grep', 'a;b|c', 'x']]],
    [`e"ch"'o' hi`, [['echo', 'hi']]],
    ['FOO=bar BAZ="x y" env', [['FOO=bar', 'BAZ=x y', 'env']]],
    ['git show HEAD@{1}', [['git', 'show', 'HEAD@{1}']]],
    ['find . -name x -exec ls {} \\;', [['find', '.', '-name', 'x', '-exec', 'ls', '{}', ';']]],
    ['grep "foo$" a', [['grep', 'foo$', 'a']]],
    ['echo a#b', [['echo', 'a#b']]],
  ])('%j', (text, words) => expect(wordsOf(text)).toEqual(words));

  it('keeps redirections apart from arguments', () => {
    expect(parseCommand('sort < in > out 2>&1')).toEqual({
      ok: true,
      commands: [
        {
          text: 'sort < in > out 2>&1',
          assignments: [],
          words: [{ text: 'sort', expands: false, quoted: false }],
          redirects: [
            { operator: '<', target: 'in' },
            { operator: '>', target: 'out' },
          ],
        },
      ],
    });
    for (const [text, target] of [
      ['a >> b', 'b'],
      ['a &> "b c"', 'b c'],
      ['a 2>b', 'b'],
      ['a >|b', 'b'],
      ['>b a', 'b'],
      ['a >&b', 'b'],
    ] as const) {
      expect(parseCommand(text)).toMatchObject({
        ok: true,
        commands: [{ words: [{ text: 'a' }], redirects: [{ target }] }],
      });
    }
  });

  it('tells words that the shell turns into file names', () => {
    expect(parseCommand(`ls *.ts "*.js" '?' \\* [ab]`)).toMatchObject({
      commands: [
        {
          words: [
            { expands: false },
            { expands: true },
            { expands: false },
            { expands: false },
            { expands: false },
            { expands: true },
          ],
        },
      ],
    });
  });

  it.each([
    ['$(rm x)'],
    ['echo $(rm x)'],
    ['echo "$(rm x)"'],
    ['echo `rm x`'],
    ['echo "`rm x`"'],
    ['echo $HOME'],
    ['echo "${HOME}"'],
    [`echo $'\\x41'`],
    ['cat <(rm x)'],
    ['cat > >(rm x)'],
    ['cat << EOF\nrm x\nEOF'],
    ['cat <<< x'],
    ['(rm x)'],
    ['{ rm x; }'],
    ['rm {a,b}'],
    ['rm a{1..3}'],
    ['if true; then rm x; fi'],
    ['for a in b; do rm a; done'],
    ['! rm x'],
    ['f() { rm x; }'],
    ['ls # rm'],
    ['ls \\\n-la'],
    ["echo 'open"],
    ['echo "open'],
    ['echo \\'],
    ['ls\rrm x'],
    ['ls\0'],
    ['ls\u001b[2J'],
    ['a && && b'],
    ['a ;; b'],
    ['| a'],
    ['a |'],
    ['a &&'],
    ['a > $FILE'],
    ['a > *'],
    [''],
    ['  \n '],
  ])('refuses %j', (text) => expect(parseCommand(text)).toMatchObject({ ok: false, why: expect.any(String) }));

  it('never throws, and what it accepts has no empty part', () => {
    const soup = fc.array(
      fc.constantFrom(
        'a',
        ' ',
        '"',
        "'",
        '\\',
        '$',
        '`',
        '(',
        ')',
        '{',
        '}',
        '<',
        '>',
        '&',
        '|',
        ';',
        '\n',
        '*',
        '#',
        '!',
        '=',
        '2',
        '-',
      ),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(soup, (characters) => {
        const parsed = parseCommand(characters.join(''));
        if (!parsed.ok) return;
        for (const { text } of parsed.commands) expect(text).not.toBe('');
      }),
      { numRuns: 5_000 },
    );
  });

  it('hides no program behind any quoting: every word outside quotes is seen', () => {
    const harmless = fc.constantFrom('git', 'log', '--oneline', '"a b"', "'c'", 'd\\ e', 'x=y');
    const separator = fc.constantFrom(' && ', ';', ' | ', '\n', ' || ', '&');
    fc.assert(
      fc.property(fc.array(harmless, { minLength: 1, maxLength: 5 }), separator, (words, between) => {
        const parsed = parseCommand(`${words.join(' ')}${between}rm -rf x`);
        expect(parsed.ok && parsed.commands.at(-1)?.words.map((word) => word.text)).toEqual(['rm', '-rf', 'x']);
      }),
    );
  });
});
