import type { ListedSession, Page, Session, SessionsMessage } from '@chirality/contracts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import {
  recentSessionsQuery,
  sessionQuery,
  sessionsChanged,
  workspacesChanged,
  type SessionsFilter,
} from './session.api';
import { sessionsKey } from '../../lib/http/shared-keys';

type Pages = InfiniteData<Page<ListedSession>, string | undefined>;

/** Latest change first, as the server lists them. */
const byLatest = (a: Session, b: Session) => b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id);

/**
 * Puts changed sessions into the lists that this page holds, and into the one that is open. A list whose contents
 * cannot be derived is read again.
 */
export function applySessionChanges(queries: QueryClient, { sessions, hidden }: SessionsMessage): void {
  const gone = new Set([...hidden, ...sessions.filter(({ status }) => status === 'archived').map(({ id }) => id)]);
  const live = sessions.filter(({ id }) => !gone.has(id));
  // Archived or restored by someone else: the open page must stop, or start, to take messages.
  for (const session of sessions) queries.setQueryData(sessionQuery(session.id).queryKey, (known) => known && session);
  workspacesChanged(queries);
  for (const id of hidden) void queries.invalidateQueries({ queryKey: sessionQuery(id).queryKey });
  queries.setQueryData(recentSessionsQuery.queryKey, (known) => known && merge(known, live, gone));
  // Who works in shared files is part of the rows of all that share them.
  if (sessions.some(({ workspace }) => workspace === 'shared')) void sessionsChanged(queries);
  for (const query of queries.getQueryCache().findAll({ queryKey: sessionsKey })) {
    const filter = query.queryKey[1] as SessionsFilter | 'recent';
    if (filter === 'recent') continue;
    if (filter.search !== undefined || filter.archived === true)
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else
      queries.setQueryData<Pages>(
        query.queryKey,
        (known) =>
          known &&
          mergePages(
            known,
            live.filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId),
            gone,
          ),
      );
  }
}

function merge(
  known: readonly ListedSession[],
  changed: readonly Session[],
  gone: ReadonlySet<string>,
): ListedSession[] {
  const replaced = new Set(changed.map(({ id }) => id));
  const uses = new Map(known.map(({ id, workspaceUse }) => [id, workspaceUse]));
  return [
    ...known.filter(({ id }) => !gone.has(id) && !replaced.has(id)),
    ...changed.map((session) => ({ ...session, workspaceUse: uses.get(session.id) ?? null })),
  ].toSorted(byLatest);
}

/** All pages are one list; what is older than its last row belongs to a page that was not read yet. */
function mergePages({ pages, pageParams }: Pages, changed: readonly Session[], gone: ReadonlySet<string>): Pages {
  const rows = pages.flatMap(({ data }) => data);
  const last = rows.at(-1);
  const nextCursor = pages.at(-1)?.nextCursor ?? null;
  const known = new Set(rows.map(({ id }) => id));
  const inReach = changed.filter(
    (session) => known.has(session.id) || nextCursor === null || last === undefined || byLatest(session, last) < 0,
  );
  const merged = merge(rows, inReach, gone);
  // The first page takes what is more or less; cursors name places in time and stay true.
  const extra = merged.length - rows.length;
  let from = 0;
  return {
    pageParams,
    pages: pages.map((page, index) => {
      const length = Math.max(0, page.data.length + (index === 0 ? extra : 0));
      const data = index === pages.length - 1 ? merged.slice(from) : merged.slice(from, from + length);
      from += length;
      return { ...page, data };
    }),
  };
}
