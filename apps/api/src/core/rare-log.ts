import type { Logger } from '@chirality/platform';

const QUIET_MS = 30_000;

/** Logs what repeats while something is away: the first time, then at most every half minute with how often it came. */
export function rareWarning(
  log: Logger,
  key: string,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let lastMs = -Infinity;
  let suppressed = 0;
  return (error) => {
    suppressed += 1;
    if (now() - lastMs < QUIET_MS) return;
    lastMs = now();
    log.warn({ reason: error instanceof Error ? error.message : String(error), times: suppressed }, key);
    suppressed = 0;
  };
}
