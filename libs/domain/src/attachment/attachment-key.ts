/** Where the bytes of an attachment are kept, and all of a session's below. */
export function attachmentKey(sessionId: string, attachmentId: string): string {
  return `attachments/${sessionId}/${attachmentId}`;
}
