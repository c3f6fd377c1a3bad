import { createHmac, timingSafeEqual } from 'node:crypto';

type PresentedRefreshToken = { familyId: string; generation: number };

/** How long the token that was just replaced still gives its successor: two tabs refresh at once, and one answer may be lost. */
export const REPLACED_TOKEN_GRACE_MS = 30_000;
export const REFRESH_FAMILY_MS = 30 * 24 * 3_600_000;

/**
 * The refresh token of one generation of a sign-in. It is derived, not stored: the same generation is always the same
 * token, so that its predecessor presented twice is answered twice with the same successor.
 */
export function refreshTokenOf(key: Buffer, { familyId, generation }: PresentedRefreshToken): string {
  return `${familyId}.${generation}.${signature(key, familyId, generation).toString('base64url')}`;
}

/** What a token says it is, once its signature is proven; null for anything else. */
export function readRefreshToken(key: Buffer, token: string): PresentedRefreshToken | null {
  const [, familyId, digits, signed] =
    /^([A-Za-z0-9_]{1,64})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (familyId === undefined || digits === undefined || signed === undefined) return null;
  const expected = signature(key, familyId, Number(digits));
  const presented = Buffer.from(signed, 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
  return { familyId, generation: Number(digits) };
}

function signature(key: Buffer, familyId: string, generation: number): Buffer {
  return createHmac('sha256', key).update(`${familyId}.${generation}`).digest();
}
