export type Interval = 'day' | 'month';

const DAY_MS = 86_400_000;

/**
 * The days (`2026-03-09`) or months (`2026-03`) of a zone's calendar that a half-open range touches, in order. At least
 * one where the range is not empty. Throws RangeError for an unknown zone.
 */
export function calendarPeriods(from: Date, to: Date, timezone: string, interval: Interval): string[] {
  const dayOf = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const [first, last] = [dayOf.format(from), dayOf.format(new Date(to.getTime() - 1))];
  const keyLength = interval === 'day' ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length;
  const keys = new Set<string>();
  // Dates alone, without a clock: no day of them is shorter or longer than another.
  for (let day = Date.parse(first); day <= Date.parse(last); day += DAY_MS)
    keys.add(new Date(day).toISOString().slice(0, keyLength));
  return [...keys];
}
