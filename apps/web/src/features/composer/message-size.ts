import { MESSAGE_LIMIT_BYTES } from '@chirality/contracts';

const MIB = 1024 * 1024;
/** A character of UTF-16 takes at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/** What to say of a message that the server would refuse for its size; null while it fits. Counts only what may be too long. */
export function sizeProblem(text: string): string | null {
  if (text.length * MAX_BYTES_PER_UNIT <= MESSAGE_LIMIT_BYTES) return null;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MESSAGE_LIMIT_BYTES) return null;
  return `This message has ${(bytes / MIB).toFixed(2)} MiB (${bytes - MESSAGE_LIMIT_BYTES} bytes too many); the limit is ${MESSAGE_LIMIT_BYTES / MIB} MiB. Shorten it, or put the text into a file of the project.`;
}
