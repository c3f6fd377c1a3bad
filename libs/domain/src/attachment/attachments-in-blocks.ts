import type { Attachment } from '@chirality/contracts';

/** An attachment with the turn that it was sent in: one may be sent several times. */
export interface SentAttachment {
  turnId: string;
  attachment: Attachment;
}

/**
 * A conversation is sent to the model's service as a whole each time, documents unchanged, and the service takes 32 MB
 * of base64 at once. What is beyond this is a file instead, so that no document makes the conversation too large for
 * good; the rest of the request has the other half. Pictures are made small by the program.
 */
const DOCUMENTS_BYTES = 12 * 1024 * 1024;

/** Those that are part of their message, of all that were sent in a session, in order; the others are files. */
export function attachmentsInBlocks(sent: readonly SentAttachment[]): ReadonlySet<SentAttachment> {
  let documents = 0;
  const inBlocks = new Set<SentAttachment>();
  for (const one of sent) {
    const { kind, bytes } = one.attachment;
    if (kind === 'file') continue;
    if (kind === 'document') {
      if (documents + bytes > DOCUMENTS_BYTES) continue;
      documents += bytes;
    }
    inBlocks.add(one);
  }
  return inBlocks;
}
