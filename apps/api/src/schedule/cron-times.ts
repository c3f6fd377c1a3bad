import { CronExpressionParser } from 'cron-parser';

const FIELD = /^[\d*/,\-A-Z]+$/i;
const FIELDS = 5;
/** Clocks of a zone are put forward or back by at most this. */
const MAX_SHIFT_MS = 3 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const MIN_INTERVAL_MS = 5 * 60_000;
const CHECKED_RUNS = 100;

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

/**
 * The next moments at which the expression is due in the zone, as milliseconds. It is read by the clock on the wall: a
 * time that the clock skips is due when the clock has been put forward, by as much later; one that comes twice is due
 * the first time. What is due in every hour is due in each hour that passes.
 */
export function nextTimes(cron: string, timezone: string, afterMs: number, count: number): number[] {
  const clock = wallClock(timezone);
  const isHourly = /[*/]/.test(cron.trim().split(/\s+/)[1] ?? '');
  // The parser counts on a clock that is never changed; each of its times is then looked up on the wall.
  const walls = CronExpressionParser.parse(cron, {
    currentDate: new Date(clock.wallOf(afterMs) - MAX_SHIFT_MS),
    tz: 'UTC',
  });
  const found = new Set<number>();
  let enoughAt = Infinity;
  for (let rounds = 0; rounds < 5_000; rounds += 1) {
    const wall = nextOf(walls);
    if (wall === null || wall > enoughAt) break;
    const instants = clock.instantsOf(wall);
    for (const at of isHourly ? instants : instants.slice(0, 1)) if (at > afterMs) found.add(at);
    if (found.size >= count && enoughAt === Infinity) enoughAt = wall + MAX_SHIFT_MS;
  }
  return [...found].sort((one, other) => one - other).slice(0, count);
}

function nextOf(walls: ReturnType<typeof CronExpressionParser.parse>): number | null {
  try {
    return walls.next().getTime();
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
    const shown = [...new Set([before, after])].filter((at) => wallOf(at) === wall).sort((one, other) => one - other);
    return shown.length > 0 ? shown : [before];
  };
  return { wallOf, instantsOf };
}
