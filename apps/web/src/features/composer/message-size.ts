import { MESSAGE_LIMIT_BYTES } from '@chirality/contracts';
import { plural } from '../../lib/format/count';
import { marksIn, type Words } from '../../lib/message/pasted-text';

const MIB = 1024 * 1024;
/** A character of UTF-16 takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * What to say of a message that the server would refuse for its size; null while it fits. Counts only what may be too
 * long.
 */
export function sizeProblem(words: Words): string | null {
  const { text } = words;
  const marks = marksIn(words);
  const pastedBytes = marks.reduce((sum, { item }) => sum + item.bytes, 0);
  if (text.length * MAX_BYTES_PER_UNIT + pastedBytes <= MESSAGE_LIMIT_BYTES) return null;
  const markBytes = marks.reduce((sum, { from, to }) => sum + bytesOf(text.slice(from, to)), 0);
  const bytes = bytesOf(text) - markBytes + pastedBytes;
  if (bytes <= MESSAGE_LIMIT_BYTES) return null;
  return `This message has ${(bytes / MIB).toFixed(2)} MiB (${plural(bytes - MESSAGE_LIMIT_BYTES, 'byte')} too many); the limit is ${MESSAGE_LIMIT_BYTES / MIB} MiB. Shorten it, or put the text into a file of the project.`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
