/** The audit page's filters as its address has them; `from` and `to` are days, both included. */
export type AuditSearch = {
  person?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const DAY = /^[12]\d{3}-\d{2}-\d{2}$/;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** What an address asks for; what cannot be a filter is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    person: text(search['person']),
    action: text(search['action']),
    from: day(search['from']),
    to: day(search['to']),
  };
}

/** The same as the server takes it: from the beginning of the first day to the end of the last, in the browser's time zone. */
export function auditFilterOf(teamId: string, { person, action, from, to }: AuditSearch) {
  return {
    teamId,
    ...(person !== undefined && { userId: person }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from: startOfDay(from).toISOString() }),
    ...(to !== undefined && { to: startOfDay(dayAfter(to)).toISOString() }),
  };
}

/** The next day of the calendar: a day on which the clocks change has not 24 hours. */
export function dayAfter(date: string): string {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

function startOfDay(date: string): Date {
  return new Date(`${date}T00:00:00`);
}
