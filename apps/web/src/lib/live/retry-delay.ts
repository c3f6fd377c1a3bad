const FIRST_MS = 250;
const MAX_MS = 10_000;

/**
 * How long to wait before attempt `attempt` (1 is the first repeat): doubling to ten seconds, spread over its upper
 * half.
 */
export function retryDelayMs(attempt: number, random: () => number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.round(full * (0.5 + random() / 2));
}
