import { createHash } from 'node:crypto';
import { MESSAGE_LIMIT_BYTES, type CreateTurn } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';

/** Refuses a message of nothing but white space, and one of more than 4 MiB of UTF-8. Everything else is taken as it is. */
export function refuseUnfitMessage(message: string): void {
  if (message.trim() === '')
    throw new ProblemError('MESSAGE_EMPTY', 'The message has no text. Write something to send.');
  if (Buffer.byteLength(message, 'utf8') > MESSAGE_LIMIT_BYTES) {
    throw new ProblemError(
      'MESSAGE_TOO_LARGE',
      'A message may have at most 4 MiB. Shorten it, or put the content into a file of the workspace.',
    );
  }
}

const KEY = /^[\x21-\x7e]{1,200}$/;

/** The key that a client may send to repeat a request safely; absent when it sends none. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw new ProblemError('VALIDATION_FAILED', 'The Idempotency-Key must be 1 to 200 visible ASCII characters.');
}

/** The same for the same request, whatever the order of its members. */
export function bodyHashOf(kind: string, body: Pick<CreateTurn, 'message' | 'options'>): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, body.message, sortedKeys(body.options)]))
    .digest('hex');
}

function sortedKeys(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
