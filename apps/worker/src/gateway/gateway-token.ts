import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'chirality-turn-';

export function newGatewayToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Whether a value has the shape of a gateway's token, as against a real key of the model's service. */
export function isGatewayToken(value: string): boolean {
  return value.startsWith(PREFIX);
}

/** Compares in constant time, whatever the lengths. */
export function sameToken(presented: string, expected: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(presented), digest(expected));
}
