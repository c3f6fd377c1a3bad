import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deriveKey } from '@chirality/platform';

const MAX_SKEW_MS = 5 * 60_000;
const SECRET_PREFIX = 'whsec_';

/** The secret of a trigger's generation: derived, so that it is stored nowhere. */
export function triggerSecret(secretKey: Buffer, scheduleId: string, generation: number): string {
  const key = deriveKey(secretKey, 'schedule-trigger');
  return `${SECRET_PREFIX}${createHmac('sha256', key).update(`${scheduleId}/${generation}`).digest('base64')}`;
}

/**
 * The id of a request that was signed with the secret within five minutes, as Standard Webhooks says; otherwise why it
 * is not taken, in a sentence.
 */
export function verifyTrigger(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  nowMs = Date.now(),
): { slot: string } | { fault: string } {
  const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : '');
  const [id, time, signature] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (id === '' || id.length > 256 || !/^\d{1,12}$/.test(time) || signature === '')
    return { fault: 'The request needs the headers webhook-id, webhook-timestamp and webhook-signature.' };
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${time}.`), body]))
    .digest('base64');
  const isSigned = signature.split(' ').some((one) => one.startsWith('v1,') && isSame(one.slice(3), expected));
  if (!isSigned) return { fault: 'The signature was not made with the secret in force over this body.' };
  if (Math.abs(nowMs - Number(time) * 1_000) > MAX_SKEW_MS)
    return { fault: 'The request is older than five minutes, or the clock of its sender is wrong.' };
  return { slot: createHash('sha256').update(id).digest('base64url') };
}

/** In the same time whatever is different, also the length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
