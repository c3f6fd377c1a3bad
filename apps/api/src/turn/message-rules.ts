import { createHash } from 'node:crypto';
import {
  ATTACHMENTS_LIMIT_BYTES,
  MAX_ATTACHMENTS,
  MESSAGE_LIMIT_BYTES,
  type Attachment,
  type CreateTurn,
} from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';

/**
 * Refuses a message of nothing but white space without an attachment, and one of more than 4 MiB of UTF-8. Everything
 * else is taken as it is.
 */
export function refuseUnfitMessage(message: string, attachments: readonly string[] = []): void {
  if (attachments.length > MAX_ATTACHMENTS)
    throw new ProblemError(
      'ATTACHMENT_TOO_LARGE',
      `A message takes at most ${MAX_ATTACHMENTS} files, and this one has ${attachments.length}. Send the others with the next message.`,
    );
  if (message.trim() === '' && attachments.length === 0)
    throw new ProblemError('MESSAGE_EMPTY', 'The message has no text. Write something to send.');
  if (Buffer.byteLength(message, 'utf8') > MESSAGE_LIMIT_BYTES) {
    throw new ProblemError(
      'MESSAGE_TOO_LARGE',
      'A message may have at most 4 MiB. Shorten it, or put the content into a file of the workspace.',
    );
  }
}

/** Refuses attachments that are too much together. */
export function refuseUnfitAttachments(attachments: readonly Pick<Attachment, 'bytes'>[]): void {
  const bytes = attachments.reduce((sum, attachment) => sum + attachment.bytes, 0);
  if (bytes > ATTACHMENTS_LIMIT_BYTES)
    throw new ProblemError(
      'ATTACHMENT_TOO_LARGE',
      `The files of a message may have ${ATTACHMENTS_LIMIT_BYTES / MIB} MB in total, and these have ${(bytes / MIB).toFixed(1)}. Send some with the next message.`,
    );
}

const MIB = 1024 * 1024;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** The key that a client may send to repeat a request safely; absent when it sends none. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw new ProblemError('VALIDATION_FAILED', 'The Idempotency-Key must be 1 to 200 visible ASCII characters.');
}

/** The same for the same request, whatever the order of its members. */
export function bodyHashOf(
  kind: string,
  body: Pick<CreateTurn, 'message' | 'options'> & { attachments?: readonly string[]; outputSchema?: unknown },
): string {
  // As it was before there were attachments, for keys that are older.
  const attachments = body.attachments?.length ? [body.attachments] : [];
  const schema = body.outputSchema ? [body.outputSchema] : [];
  return createHash('sha256')
    .update(JSON.stringify([kind, body.message, sortedKeys(body.options), ...attachments, ...schema]))
    .digest('hex');
}

function sortedKeys(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
