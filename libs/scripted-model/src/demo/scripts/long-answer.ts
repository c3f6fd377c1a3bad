import { message, text } from '../../api/reply';
import type { Script } from '../script';

const MAX_NUMBERS = 500;
const LINE = 10;

/** Counts, so that there is time to press Stop, to look away, or to open the session in a second window. */
export const longAnswer: Script = {
  name: 'long-answer',
  fits: ({ asked }) => /\bcount\b|\blong (?:answer|reply|text|story)\b|\bstream/i.test(asked),
  play: ({ asked }) => {
    const wanted = Number(/\d+/.exec(asked)?.[0] ?? 100);
    const last = Math.min(Math.max(1, wanted), MAX_NUMBERS);
    const numbers = Array.from(
      { length: last },
      (_, index) => `${index + 1}${index + 1 === last ? '.' : (index + 1) % LINE === 0 ? ',\n' : ', '}`,
    ).join('');
    return message(
      text(
        `I count to ${last}. Press *Stop* whenever you like: what was said until then stays. You can also close the page and come back.\n\n${numbers}\n\nThat was all.`,
      ),
    );
  },
};
