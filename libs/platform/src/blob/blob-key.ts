const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;
const KEY_MAX_CHARS = 1000;

/**
 * Keys are segments of letters, digits, `.`, `_`, `-`, parted by `/`; no segment begins with a dot. Throws on anything
 * else: keys are made by us, so a bad one is a fault or an attack, never a request to answer.
 */
export function blobKeySegments(key: string): string[] {
  const segments = key.split('/');
  if (key.length > KEY_MAX_CHARS || !segments.every((segment) => SEGMENT.test(segment)))
    throw new Error('invalid blob key');
  return segments;
}
