import { createHash } from 'node:crypto';

const NAMES = new Map<string, string>();

/**
 * A statement under a name made of its text, so that a connection plans it once. For texts that are put together in
 * few ways: each way stays with every connection that ran it.
 */
export function prepared(text: string): { name: string; text: string } {
  let name = NAMES.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    NAMES.set(text, name);
  }
  return { name, text };
}
