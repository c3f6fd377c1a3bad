import { cronClock } from './cron-times';

/** How late a run may begin: servers that restart make up for it, and longer absences do not. */
const GRACE_MS = 5 * 60_000;
const MAX_LISTED = 20;

/**
 * What becomes of a schedule that was due at `nextAtMs`: the latest time until now is run where that is not long ago,
 * all earlier ones were missed (the last twenty are listed), and `next` is the first one to come. However long the
 * absence was, only the latest times are looked at: this runs in servers that answer requests meanwhile.
 */
export function dueTimes(
  { cron, timezone }: { cron: string; timezone: string },
  nextAtMs: number,
  nowMs: number,
): { missed: Date[]; run: Date | null; next: Date | null } {
  const clock = cronClock(cron, timezone);
  const past = clock.last({ sinceMs: nextAtMs, untilMs: nowMs }, MAX_LISTED + 1);
  // It was due at that time whatever its expression says.
  if (past.length <= MAX_LISTED && past[0] !== nextAtMs && nextAtMs <= nowMs) past.unshift(nextAtMs);
  const latest = past.at(-1);
  const runs = latest !== undefined && nowMs - latest <= GRACE_MS;
  const [next] = clock.next(nowMs, 1);
  return {
    missed: (runs ? past.slice(0, -1) : past).slice(-MAX_LISTED).map((at) => new Date(at)),
    run: runs ? new Date(latest) : null,
    next: next === undefined ? null : new Date(next),
  };
}
