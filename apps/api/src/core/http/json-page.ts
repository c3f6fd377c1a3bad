import type { Page } from '@chirality/contracts';

/** A list that is always whole. */
export function wholePage<T>(data: T[]): Page<T> {
  return { data, nextCursor: null };
}
