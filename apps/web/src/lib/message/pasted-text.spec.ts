import { aroundMarks } from './mark-selection';
import {
  isBlank,
  markOf,
  marksIn,
  MAX_FIELD_CHARACTERS,
  messageOf,
  pastedText,
  withoutMarks,
  wordsOf,
} from './pasted-text';

const one = pastedText('a', 1, 'line\nline\n');
const two = pastedText('b', 2, `é${markOf(one)}`);
const nothing = { text: '', pasted: [] };
let ids = 0;
const newId = () => `new-${(ids += 1)}`;

describe('a message with pasted texts', () => {
  it('has each where its mark stands, and marks within them as they are', () => {
    const words = { text: `a ${markOf(two)} b ${markOf(one)}`, pasted: [one, two] };
    expect(messageOf(words)).toEqual({
      message: `a ${two.content} b ${one.content}`,
      folds: [
        [2, 18],
        [21, 31],
      ],
    });
  });

  it('leaves alone what only looks like a mark', () => {
    const text = `[Pasted text 1] ${markOf({ number: 7 })}`;
    expect(messageOf({ text, pasted: [one] })).toEqual({ message: text, folds: [] });
  });

  it('is folded again at the same places when it is given back', () => {
    const { message, folds } = messageOf({ text: `a ${markOf(one)} b ${markOf(two)}`, pasted: [one, two] });
    const again = wordsOf(message, folds, { text: markOf(one), pasted: [one] }, newId);
    expect(again.pasted.map(({ number, content }) => [number, content])).toEqual([
      [2, one.content],
      [3, two.content],
    ]);
    expect(messageOf(again)).toEqual({ message, folds });
  });

  it('does not take what only looks like a mark in a given message for its own', () => {
    const message = `${markOf(one)} and ${markOf(two)} x`;
    const again = wordsOf(message, [[message.length - 1, message.length]], { text: '', pasted: [one] }, newId);
    expect(messageOf({ ...again, pasted: [one, ...again.pasted] })).toMatchObject({
      message: `[Pasted text 1] and ${markOf(two)} x`,
      folds: [[message.length - 1, message.length]],
    });
  });

  it('has no marks in what comes from elsewhere, and no number written in two ways', () => {
    const text = `a ${markOf(one)}\u00a0b ${markOf({ number: 12 })}`;
    expect(withoutMarks(text)).toBe('a [Pasted text 1]\u00a0b [Pasted text 12]');
    expect(marksIn({ text: markOf(one).replace('1', '01'), pasted: [one] })).toEqual([]);
  });

  it('is folded as a whole where it is too long for the field', () => {
    const long = 'x'.repeat(MAX_FIELD_CHARACTERS + 1);
    expect(wordsOf(long, [], nothing, newId)).toMatchObject({ text: markOf(one), pasted: [{ content: long }] });
    expect(wordsOf(long.slice(1), [], nothing, newId)).toEqual({ text: long.slice(1), pasted: [] });
  });

  it.each([
    ['nothing', '', true],
    ['blanks', ' \n', true],
    ['a mark of blanks', ` ${markOf({ number: 3 })}`, true],
    ['a mark of something', markOf(one), false],
    ['a mark of nothing known', markOf({ number: 9 }), false],
  ])('has something to send or not: %s', (_, text, expected) => {
    expect(isBlank({ text, pasted: [one, pastedText('c', 3, ' \n ')] })).toBe(expected);
  });

  it('counts lines and bytes of what was pasted', () => {
    expect([one.lines, one.bytes, pastedText('d', 4, 'é\nb').lines, two.bytes]).toEqual([
      2,
      10,
      2,
      2 + new TextEncoder().encode(markOf(one)).length,
    ]);
  });
});

describe('what is selected before a key changes the text', () => {
  const words = { text: `ab${markOf(one)}cd`, pasted: [one] };
  const { from, to } = marksIn(words)[0]!;
  const mark = { start: from, end: to };

  it.each([
    ['Backspace behind a mark', 'Backspace', to, to, mark],
    ['Backspace before it', 'Backspace', from, from, null],
    ['Delete before it', 'Delete', from, from, mark],
    ['Delete behind it', 'Delete', to, to, null],
    ['a letter inside it', 'x', from + 3, from + 3, { start: to, end: to }],
    ['a letter before it', 'x', from, from, null],
    ['a paste inside it', 'Paste', from + 3, from + 3, { start: to, end: to }],
    ['a letter in place of a part of it', 'x', 1, from + 3, { start: 1, end: to }],
    ['Backspace on a part of it', 'Backspace', from + 3, to + 1, { start: from, end: to + 1 }],
    ['an arrow inside it', 'ArrowLeft', from + 3, from + 3, null],
    ['an emoji', '🎉', from + 1, from + 1, { start: to, end: to }],
  ])('%s', (_, key, start, end, expected) => {
    expect(aroundMarks(words, { start, end }, key)).toEqual(expected);
  });
});
