import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

/**
 * The mark of a browser in which a person has signed in before. Its attempts are counted apart from all others, so
 * that wrong passwords sent by others cannot keep the person out. It proves nothing but that.
 */
export function deviceMark(key: Buffer, userId: string): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${nonce}.${signature(key, userId, nonce).toString('base64url')}`;
}

/** The device that a mark names for this person; null for another person's mark and for anything else. */
export function deviceOf(key: Buffer, userId: string, mark: string | null): string | null {
  const [, nonce, signed] = FORM.exec(mark ?? '') ?? [];
  if (nonce === undefined || signed === undefined) return null;
  return timingSafeEqual(Buffer.from(signed, 'base64url'), signature(key, userId, nonce)) ? nonce : null;
}

function signature(key: Buffer, userId: string, nonce: string): Buffer {
  return createHmac('sha256', key).update(`${userId}.${nonce}`).digest();
}
