/** Where a reader was in a conversation: the first row in sight, and how far above the frame it began. */
type ReadingPlace = { rowKey: string; offsetPx: number };

const places = new Map<string, ReadingPlace>();

/** Null for who reads at the end: they are to come back to the end. */
export function notePlace(sessionId: string, place: ReadingPlace | null): void {
  if (place === null) places.delete(sessionId);
  else places.set(sessionId, place);
}

export function placeIn(sessionId: string): ReadingPlace | null {
  return places.get(sessionId) ?? null;
}
