import { availableParallelism, totalmem } from 'node:os';

const MEMORY_PER_TURN = 300 * 1024 * 1024;
/** What the service itself and the page cache need. */
const RESERVED_MEMORY = 1024 * 1024 * 1024;
const TURNS_PER_CORE = 4;

/** How many turns may run at once: bounded by memory (about 300 MB each) and at most eight for two cores. */
export function slotsFor(
  configured: number | null,
  machine = { cores: availableParallelism(), memoryBytes: totalmem() },
): number {
  if (configured !== null) return configured;
  const byMemory = Math.floor((machine.memoryBytes - RESERVED_MEMORY) / MEMORY_PER_TURN);
  return Math.max(1, Math.min(byMemory, machine.cores * TURNS_PER_CORE));
}
