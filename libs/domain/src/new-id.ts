import { ID_PREFIXES, type IdNoun } from '@chirality/contracts';
import { monotonicFactory } from 'ulid';

const POOL_BYTES = 1_024;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** One byte of the platform's randomness as a fraction, drawn from a pool: an id asks sixteen times. */
function randomFraction(): number {
  if (used === POOL_BYTES) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  // The factory takes 32 steps of it; 256 is a multiple of that, so no letter is favoured.
  return byte / 256;
}

const nextUlid = monotonicFactory(randomFraction);

/** A new id of that noun: sortable by time to the millisecond, and strictly rising within one process. */
export function newId(noun: IdNoun): string {
  return `${ID_PREFIXES[noun]}_${nextUlid()}`;
}
