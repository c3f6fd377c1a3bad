import type { PermissionItem } from '@chirality/domain';
import { useState } from 'react';
import { requestLines } from '../transcript/request-lines';
import { isWhole, readingOf, turned, type Reading } from './card-pages';
import { roomFor, type CardPage } from './permission-card';

/** The request that is asked now, and how far it was read; `turn` shows the next page of it or the one before. */
export function useCard(item: PermissionItem | null, columns: number, rows: number) {
  const [read, setRead] = useState<Reading | null>(null);
  if (item === null) return null;
  const lines = requestLines(item, columns - 2);
  const room = roomFor(item, rows);
  const bounds = { count: lines.length, room };
  // From the page that is drawn: keys that come faster than pages turn none of them unseen.
  const reading = readingOf(read, item.permissionId, columns);
  const page: CardPage = { lines, top: reading.top, room, isRead: isWhole(reading, bounds) };
  return { item, page, turn: (by: 1 | -1) => setRead(turned(reading, by, bounds)) };
}
