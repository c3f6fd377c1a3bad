const DAY_MS = 86_400_000;

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function formatTime(at: string): string {
  return TIME.format(new Date(at));
}

/** A moment in a sentence: the seconds say nothing there. */
export function formatMinute(at: string): string {
  return MINUTE.format(new Date(at));
}

/** A moment to the second, for those who look closer. */
export function formatFull(at: string): string {
  return FULL.format(new Date(at));
}

/** A day of any year. */
export function formatDay(at: string): string {
  return DAY_AND_YEAR.format(new Date(at));
}

/** How long ago, as a list shows it: `now`, `5 min`, `3 h`, `yesterday`, then a date. */
export function formatAgo(at: string, nowMs: number): string {
  const date = new Date(at);
  const ms = nowMs - date.getTime();
  if (ms < 60_000) return 'now';
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  const startOfToday = new Date(nowMs).setHours(0, 0, 0, 0);
  if (date.getTime() >= startOfToday) return `${Math.floor(ms / 3_600_000)} h`;
  if (date.getTime() >= startOfToday - DAY_MS) return 'yesterday';
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? DAY : DAY_AND_YEAR).format(date);
}
