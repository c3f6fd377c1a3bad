import { randomBytes } from 'node:crypto';
import { isId } from '@chirality/contracts';

const KEY = /^((?:sessions|workspaces)\/[^/]+\/(\d+))\/[0-9a-f]+\//;

/** Under which everything lies that was ever stored of a session, or of a shared workspace. */
export function sessionPrefix(sessionId: string): string {
  return `${isId('sharedWorkspace', sessionId) ? 'workspaces' : 'sessions'}/${sessionId}`;
}

/** A new prefix for the immutable blobs of one stored state. `fence`: the newest attempt whose work is in it. */
export function newStatePrefix(sessionId: string, fence: bigint): string {
  return `${sessionPrefix(sessionId)}/${fence}/${randomBytes(12).toString('hex')}`;
}

/** The fence in the key of a manifest; null for no key. */
export function fenceOfKey(key: string | null): bigint | null {
  const fence = key === null ? undefined : KEY.exec(key)?.[2];
  return fence === undefined ? null : BigInt(fence);
}

/** What the keys of all states of one attempt begin with. Throws when it is not a key of a state. */
export function fencePrefixOf(key: string): string {
  const prefix = KEY.exec(key)?.[1];
  if (prefix === undefined) throw new Error('not the key of a stored state');
  return prefix;
}
