import type { PermissionItem } from '@chirality/domain';
import { requestLines } from '../transcript/request-lines';
import { isWhole, readingOf, turned, type Reading } from './card-pages';
import { roomFor, type CardPage } from './permission-card';
import { useLatest } from './use-latest';

/** The request that is asked now, and how far it was read; `turn` shows the next page of it or the one before. */
export function useCard(item: PermissionItem | null, columns: number, rows: number) {
  const state = useLatest<Reading | null>(null);
  if (item === null) return null;
  const lines = requestLines(item, columns - 2);
  const room = roomFor(item, rows);
  const bounds = { count: lines.length, room };
  const read = () => readingOf(state.read(), item.permissionId, columns);
  const page: CardPage = { lines, top: read().top, room, isRead: isWhole(read(), bounds) };
  return { item, page, turn: (by: 1 | -1) => state.write(turned(read(), by, bounds)) };
}
