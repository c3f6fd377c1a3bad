/** How far a request was read. A width other than that of the page before breaks the lines elsewhere. */
export type Reading = { id: string; columns: number; top: number; wasWhole: boolean };

/** A page: from which line, of how many, with room for so many. */
type Page = { count: number; room: number };

/** The reading of this request at this width; another request begins at its start, whatever was read before. */
export function readingOf(before: Reading | null, id: string, columns: number): Reading {
  if (before?.id !== id) return { id, columns, top: 0, wasWhole: false };
  return before.columns === columns ? before : { ...before, columns, top: 0 };
}

/** The next page or the one before. Every line is on some page on the way to the end. */
export function turned(reading: Reading, by: 1 | -1, { count, room }: Page): Reading {
  const wasWhole = isWhole(reading, { count, room });
  const next = reading.top + by * room;
  return { ...reading, wasWhole, top: next >= count ? reading.top : Math.max(0, next) };
}

/** Whether the end was seen, and with it everything before. */
export function isWhole({ top, wasWhole }: Reading, { count, room }: Page): boolean {
  return wasWhole || top + room >= count;
}
