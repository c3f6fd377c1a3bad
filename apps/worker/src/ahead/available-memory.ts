import { freemem } from 'node:os';

/** With less memory than this left, processes that only wait are ended, one at a time. */
export const MEMORY_RESERVE_BYTES = 512 * 1024 * 1024;

/** What this process and its children can still use, a container's limit included where the runtime knows of it. */
export function availableBytes(): number {
  const { availableMemory } = process as { availableMemory?: () => number };
  return availableMemory ? availableMemory.call(process) : freemem();
}
