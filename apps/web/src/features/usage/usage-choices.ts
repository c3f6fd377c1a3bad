import type { UsageGroup, UsageStack } from '@chirality/contracts';

export const GROUPS = [
  { value: 'user', label: 'Person' },
  { value: 'project', label: 'Project' },
  { value: 'model', label: 'Model' },
  { value: 'session', label: 'Session' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
] as const satisfies { value: UsageGroup; label: string }[];

export const STACKS = [
  { value: 'user', label: 'Person' },
  { value: 'project', label: 'Project' },
  { value: 'model', label: 'Model' },
] as const satisfies { value: UsageStack; label: string }[];

export const RANGES = [
  { key: 'today', label: 'Today' },
  { key: '7d', label: 'Last 7 days' },
  { key: '30d', label: 'Last 30 days' },
  { key: 'month', label: 'This month' },
  { key: 'all', label: 'All time' },
] as const;
export type RangeKey = (typeof RANGES)[number]['key'];

const DAY_MS = 86_400_000;

/** Year, month and day as the zone's calendar has them at that moment. */
function calendarDay(at: Date, timezone: string): { year: number; month: number; day: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value ?? 0);
  return { year: part('year'), month: part('month'), day: part('day') };
}

/** Milliseconds that the zone's clock is ahead of UTC at that moment. */
function zoneOffsetMs(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at));
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value ?? 0);
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
    Math.floor(at / 1_000) * 1_000
  );
}

/** The moment at which a day begins in a zone; also where the clock jumps on that day. */
export function startOfDay(year: number, month: number, day: number, timezone: string): Date {
  const wanted = Date.UTC(year, month - 1, day);
  const guess = wanted - zoneOffsetMs(wanted, timezone);
  return new Date(wanted - zoneOffsetMs(guess, timezone));
}

/** Where a range begins, as the start of a day of the team's zone; all time has no beginning. */
export function rangeFrom(range: RangeKey, now: Date, timezone: string): { from?: string } {
  const { year, month, day } = calendarDay(now, timezone);
  switch (range) {
    case 'all':
      return {};
    case 'month':
      return { from: startOfDay(year, month, 1, timezone).toISOString() };
    case 'today':
      return { from: startOfDay(year, month, day, timezone).toISOString() };
    case '7d':
    case '30d': {
      const first = new Date(Date.UTC(year, month - 1, day) - (range === '7d' ? 6 : 29) * DAY_MS);
      return {
        from: startOfDay(first.getUTCFullYear(), first.getUTCMonth() + 1, first.getUTCDate(), timezone).toISOString(),
      };
    }
  }
}
