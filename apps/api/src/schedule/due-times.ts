import { nextTimes } from './cron-times';

/** How late a run may begin: servers that restart make up for it, and longer absences do not. */
const GRACE_MS = 5 * 60_000;
const MAX_LISTED = 20;

/**
 * What becomes of a schedule that was due at `nextAtMs`: the latest time until now is run where that is not long ago,
 * all earlier ones were missed (the last twenty are listed), and `next` is the first one to come.
 */
export function dueTimes(
  { cron, timezone }: { cron: string; timezone: string },
  nextAtMs: number,
  nowMs: number,
): { missed: Date[]; run: Date | null; next: Date | null } {
  const past: number[] = [];
  for (let at: number | undefined = nextAtMs; at !== undefined && at <= nowMs;) {
    past.push(at);
    if (past.length > MAX_LISTED) past.shift();
    // Years of absence are not counted minute by minute.
    const from: number = past.length >= MAX_LISTED ? Math.max(at, nowMs - MAX_LISTED * 24 * 3_600_000) : at;
    at = nextTimes(cron, timezone, from, 1)[0];
  }
  const latest = past.at(-1);
  const runs = latest !== undefined && nowMs - latest <= GRACE_MS;
  const next = nextTimes(cron, timezone, nowMs, 1)[0];
  return {
    missed: (runs ? past.slice(0, -1) : past).map((at) => new Date(at)),
    run: runs ? new Date(latest) : null,
    next: next === undefined ? null : new Date(next),
  };
}
