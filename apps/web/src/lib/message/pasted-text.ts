/**
 * A paste that is longer stands in the message field as a mark: a field with much text takes long to lay out with each
 * key.
 */
export const MAX_PLAIN_PASTE = 10_000;
/** What the field can hold and still answer each key at once. */
export const MAX_FIELD_CHARACTERS = 200_000;

export type PastedText = {
  /** Names its content in the browser's store. */
  id: string;
  /** Names it to people, and in the text of its draft. */
  number: number;
  content: string;
  bytes: number;
  lines: number;
};

/** A message that is being written: the field's text, in which marks stand for pasted texts. */
export type Words = { text: string; pasted: readonly PastedText[] };
/** Where a pasted text stands in a message. */
export type Fold = readonly [from: number, to: number];

/** With no-break spaces, so that no one types one by chance and no line breaks inside it. */
const MARK = /\[Pasted\u00a0text\u00a0([1-9]\d{0,8})\]/g;

export function markOf({ number }: Pick<PastedText, 'number'>): string {
  return `[Pasted\u00a0text\u00a0${number}]`;
}

/** A text from elsewhere, in which nothing stands for a pasted text of this message. */
export function withoutMarks(text: string, isMark: (number: number) => boolean = () => true): string {
  return text.replace(MARK, (mark, number) => (isMark(Number(number)) ? mark.replaceAll('\u00a0', ' ') : mark));
}

export function pastedText(id: string, number: number, content: string): PastedText {
  return { id, number, content, bytes: new TextEncoder().encode(content).length, lines: lineCount(content) };
}

/** A number whose mark stands nowhere yet. */
export function freeNumber({ text, pasted }: Words): number {
  let number = Math.max(0, ...pasted.map((item) => item.number)) + 1;
  while (text.includes(markOf({ number }))) number += 1;
  return number;
}

/** Where marks of pasted texts stand in the field. */
export function marksIn({ text, pasted }: Words): { from: number; to: number; item: PastedText }[] {
  if (pasted.length === 0) return [];
  return [...text.matchAll(MARK)].flatMap(({ 0: mark, 1: number, index }) => {
    const item = pasted.find((one) => one.number === Number(number));
    return item === undefined ? [] : [{ from: index, to: index + mark.length, item }];
  });
}

/** The pasted texts that are part of the message, in its order. */
export function usedIn(words: Words): PastedText[] {
  return [...new Set(marksIn(words).map(({ item }) => item))];
}

/** The message as it is sent, and where the pasted texts stand in it. */
export function messageOf(words: Words): { message: string; folds: Fold[] } {
  const folds: Fold[] = [];
  let message = '';
  let at = 0;
  for (const { from, to, item } of marksIn(words)) {
    message += words.text.slice(at, from);
    folds.push([message.length, message.length + item.content.length]);
    message += item.content;
    at = to;
  }
  return { message: message + words.text.slice(at), folds };
}

/**
 * A message as it is written on: the parts that were pasted are marks again, and so is one that is too long for the
 * field. What only looks like a mark in it stands for nothing.
 */
export function wordsOf(message: string, folds: readonly Fold[], beside: Words, newId: () => string): Words {
  const folded = folds.length === 0 && message.length > MAX_FIELD_CHARACTERS ? [[0, message.length] as const] : folds;
  const isTaken = (number: number) => beside.pasted.some((item) => item.number === number);
  const marked = beside.text + message;
  const pasted: PastedText[] = [];
  let text = '';
  let at = 0;
  for (const [from, to] of folded) {
    const item = pastedText(
      newId(),
      freeNumber({ text: marked, pasted: [...beside.pasted, ...pasted] }),
      message.slice(from, to),
    );
    pasted.push(item);
    text += withoutMarks(message.slice(at, from), isTaken) + markOf(item);
    at = to;
  }
  return { text: text + withoutMarks(message.slice(at), isTaken), pasted };
}

/** Whether there is nothing to send. */
export function isBlank(words: Words): boolean {
  const { text } = words;
  if (words.pasted.length === 0) return text.trim() === '';
  const without = text.replace(MARK, (mark, number) =>
    words.pasted.some((item) => item.number === Number(number)) ? '' : mark,
  );
  return without.trim() === '' && usedIn(words).every(({ content }) => !/\S/.test(content));
}

function lineCount(content: string): number {
  let lines = 1;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) lines += 1;
  return content.endsWith('\n') ? lines - 1 : lines;
}
