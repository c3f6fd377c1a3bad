import { marksIn, type Words } from './pasted-text';

type Selection = { start: number; end: number };

/**
 * What has to be selected before a key or a paste changes the text, so that the mark of a pasted text is deleted and
 * replaced as one character and nothing is written into it. Null where the selection is right as it is.
 */
export function aroundMarks(words: Words, { start, end }: Selection, key: string): Selection | null {
  if (key !== 'Backspace' && key !== 'Delete' && key !== 'Enter' && key !== 'Paste' && [...key].length !== 1)
    return null;
  const marks = marksIn(words);
  if (start !== end) {
    const whole = {
      start: marks.find(({ from, to }) => from < start && start < to)?.from ?? start,
      end: marks.find(({ from, to }) => from < end && end < to)?.to ?? end,
    };
    return whole.start === start && whole.end === end ? null : whole;
  }
  const touched = marks.find(
    ({ from, to }) =>
      (from < start && start < to) || (key === 'Backspace' && start === to) || (key === 'Delete' && start === from),
  );
  if (touched === undefined) return null;
  if (key === 'Backspace' || key === 'Delete') return { start: touched.from, end: touched.to };
  return { start: touched.to, end: touched.to };
}
