import type { SessionMeta } from './session-meta';
import { fenceOfKey } from './state-key';
import type { StatePointer } from './state-pointers';

export interface StateDecision {
  /**
   * `use`: the copy on this disk is what counts. `salvage`: it is, but an attempt died over it. `restore`: the stored
   * state counts. `create`: nothing was ever stored.
   */
  act: 'use' | 'salvage' | 'restore' | 'create';
  /** Work of an attempt is neither here nor stored: its holder is gone. */
  lost: boolean;
}

/**
 * Decides what a session continues with. Postgres says which version is stored and which attempt ran last; the copy on
 * this disk counts only if it is that version untouched, or if that last attempt ran here.
 */
export function decideState(copy: SessionMeta | null, pointer: StatePointer): StateDecision {
  const storedFence = fenceOfKey(pointer.key);
  const lost = pointer.lastRunFence !== null && (storedFence === null || storedFence < pointer.lastRunFence);
  const stored: StateDecision = { act: pointer.version === 0 ? 'create' : 'restore', lost };
  if (copy === null || copy.condition === 'stale') return stored;
  const copyFence = copy.fence === null ? null : BigInt(copy.fence);
  if (copy.condition === 'clean') return copy.stateVersion === pointer.version ? { act: 'use', lost } : stored;
  if (wasStored({ meta: copy }, pointer)) return { act: 'use', lost };
  const isNewest =
    copy.stateVersion === pointer.version && copyFence !== null && copyFence >= (pointer.lastRunFence ?? 0n);
  if (!isNewest) return stored;
  return { act: copy.condition === 'dirty' ? 'salvage' : 'use', lost: false };
}

/** True when the pointer was moved to what is here, and the worker failed before it could write that down. */
export function wasStored({ meta }: { meta: SessionMeta }, pointer: StatePointer): boolean {
  return (
    meta.condition === 'unstored' &&
    meta.stateVersion + 1 === pointer.version &&
    meta.fence !== null &&
    BigInt(meta.fence) === fenceOfKey(pointer.key)
  );
}
