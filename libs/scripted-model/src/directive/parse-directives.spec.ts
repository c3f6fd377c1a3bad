import fc from 'fast-check';
import { parseDirectives, type Directive } from './parse-directives';

const one = (text: string): Directive | undefined => parseDirectives(text)[0]?.[0];

describe('reading directives', () => {
  it.each<[string, Partial<Directive>]>([
    ['[[empty]]', { name: 'empty', words: '', options: {}, json: undefined }],
    ['[[ text  Hello   there ]]', { name: 'text', words: 'Hello there' }],
    ['[[text "a = b ]] and\\nmore"]]', { words: 'a = b ]] and\nmore' }],
    ['[[slow words=5 delay=10]]', { words: '', options: { words: '5', delay: '10' } }],
    [
      '[[error 529 message="too much, [[really]]" times=2]]',
      { words: '529', options: { message: 'too much, [[really]]', times: '2' } },
    ],
    ['[[tool Bash {"command":"echo ]] [[text x]]"}]]', { words: 'Bash', json: { command: 'echo ]] [[text x]]' } }],
    [
      '[[tools [["Read",{"a":[[1]]}],["Bash",{}]]]]',
      {
        json: [
          ['Read', { a: [[1]] }],
          ['Bash', {}],
        ],
      },
    ],
    ['[[text it is 5 o"clock]]', { words: 'it is 5 o"clock' }],
  ])('%j', (text, expected) => expect(one(text)).toMatchObject(expected));

  it('takes them one after the other as steps, and joined by & as one', () => {
    const steps = parseDirectives('Please [[thinking a]]&[[tool Bash {}]] and then [[text b]][[text c]]');
    expect(steps.map((step) => step.map((directive) => directive.name))).toEqual([
      ['thinking', 'tool'],
      ['text'],
      ['text'],
    ]);
  });

  it.each(['', 'no directive', '[[', '[[]]', '[[text', '[[Text x]]', '[[tool Bash {"a":}]]', 'a[0][[1]]'])(
    'finds none in %j',
    (text) => expect(parseDirectives(text)).toEqual([]),
  );

  it('never throws and always ends', () => {
    const soup = fc.array(
      fc.constantFrom('[[', ']]', '[', ']', '{', '}', '"', '\\', 'text', 'a=1', ' ', '&', 'x', '\n'),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(soup, (parts) => expect(Array.isArray(parseDirectives(parts.join('')))).toBe(true)),
      { numRuns: 2_000 },
    );
  });
});
