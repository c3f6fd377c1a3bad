import { CronExpressionParser } from 'cron-parser';

const FIELD = /^[\d*/,\-A-Z]+$/i;
const FIELDS = 5;
/** Clocks of a zone are put forward or back by at most this. */
const MAX_SHIFT_MS = 3 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const MIN_INTERVAL_MS = 5 * 60_000;
const CHECKED_RUNS = 100;
const MAX_ROUNDS = 5_000;

/** Why the expression cannot be used, in a sentence; null where it can. */
export function cronFault(cron: string): string | null {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== FIELDS) return 'Use five fields: minute, hour, day of month, month, day of week.';
  if (fields.some((field) => !FIELD.test(field) || /[HL]/i.test(field.replace(/[a-z]{3}/gi, ''))))
    return 'Use numbers, names of days and months, and the signs * / , and - only.';
  try {
    const times = nextTimes(cron, 'UTC', Date.now(), CHECKED_RUNS);
    if (times.length === 0) return 'There is no such day.';
    const isTooOften = times.some((at, index) => index > 0 && at - (times[index - 1] ?? 0) < MIN_INTERVAL_MS);
    return isTooOften ? 'A schedule runs every five minutes at most.' : null;
  } catch {
    return 'This is no cron expression. One for every weekday at nine is: 0 9 * * MON-FRI.';
  }
}

/** The next moments at which the expression is due in the zone: `cronClock`, for one question. */
export function nextTimes(cron: string, timezone: string, afterMs: number, count: number): number[] {
  return cronClock(cron, timezone).next(afterMs, count);
}

/**
 * The moments at which the expression is due in the zone, as milliseconds, oldest first. It is read by the clock on the
 * wall: a time that the clock skips is due when the clock has been put forward, by as much later; one that comes twice
 * is due the first time. What is due in every hour is due in each hour that passes. The steps of a question depend on
 * `count`, never on how long ago anything was.
 */
export function cronClock(cron: string, timezone: string) {
  const clock = wallClock(timezone);
  const isHourly = /[*/]/.test(cron.trim().split(/\s+/)[1] ?? '');
  // The parser counts on a clock that is never changed; each of its times is then looked up on the wall.
  const parsed = CronExpressionParser.parse(cron, { tz: 'UTC' });
  const dueOn = (wall: number) => (isHourly ? clock.instantsOf(wall) : clock.instantsOf(wall).slice(0, 1));
  /** What is wanted is complete where the walls are further than a change of clocks from the last that counted. */
  const collect = (
    direction: 1 | -1,
    fromMs: number,
    count: number,
    counts: (at: number) => boolean,
    endWall: number,
  ) => {
    parsed.reset(new Date(clock.wallOf(fromMs) - direction * MAX_SHIFT_MS));
    const found = new Set<number>();
    let last = endWall;
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      const wall = direction === 1 ? stepOf(() => parsed.next()) : stepOf(() => parsed.prev());
      if (wall === null || (wall - last) * direction > 0) break;
      for (const at of dueOn(wall)) if (counts(at)) found.add(at);
      if (found.size >= count && last === endWall) last = wall + direction * MAX_SHIFT_MS;
    }
    return [...found].sort((one, other) => one - other);
  };
  return {
    next: (afterMs: number, count: number) =>
      collect(1, afterMs, count, (at) => at > afterMs, Infinity).slice(0, count),
    /** The latest ones, both ends included. */
    last: ({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }, count: number) =>
      collect(-1, untilMs, count, (at) => at >= sinceMs && at <= untilMs, clock.wallOf(sinceMs) - MAX_SHIFT_MS).slice(
        -count,
      ),
  };
}

function stepOf(step: () => { getTime(): number }): number | null {
  try {
    return step().getTime();
  } catch {
    return null;
  }
}

function wallClock(timezone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  /** What the clock on the wall shows, as if it were one of UTC. */
  const wallOf = (at: number): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offsetAt = (at: number) => wallOf(at) - Math.floor(at / 1_000) * 1_000;
  /** When the clock shows that: once, twice, or, where it skips it, as much later as it is put forward. */
  const instantsOf = (wall: number): number[] => {
    const before = wall - offsetAt(wall - DAY_MS);
    const after = wall - offsetAt(wall + DAY_MS);
    // The clock is not changed on these days: no further look-up, which is what costs.
    if (before === after) return [before];
    const shown = [...new Set([before, after])].filter((at) => wallOf(at) === wall).sort((one, other) => one - other);
    return shown.length > 0 ? shown : [before];
  };
  return { wallOf, instantsOf };
}
