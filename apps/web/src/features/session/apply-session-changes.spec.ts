import type { ListedSession } from '@chirality/contracts';
import { QueryClient } from '@tanstack/react-query';
import { applySessionChanges } from './apply-session-changes';
import { recentSessionsQuery, sessionQuery, sessionsQuery } from './session.api';

const session = (id: string, minute: number, changes: Partial<ListedSession> = {}) =>
  ({ id, projectId: 'p1', status: 'idle', updatedAt: `2026-01-01T00:0${minute}:00.000Z`, ...changes }) as ListedSession;

function pageOf(...pages: ListedSession[][]) {
  return {
    pageParams: pages.map(() => undefined),
    pages: pages.map((data, index) => ({ data, nextCursor: index < pages.length - 1 ? 'next' : null })),
  };
}

/** Keeps no timer that would outlive the test. */
const newClient = () => new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });

describe('changes that the server pushes', () => {
  const filter = { projectId: 'p1' };
  const listed = (queries: QueryClient) =>
    queries
      .getQueryData(sessionsQuery(filter).queryKey)
      ?.pages.flatMap(({ data }) => data.map(({ id, status }) => `${id} ${status}`));
  const recent = (queries: QueryClient) => queries.getQueryData(recentSessionsQuery.queryKey)?.map(({ id }) => id);

  it('change rows where they are, bring new ones in and take archived and hidden ones out, in every list', () => {
    const queries = newClient();
    const rows = [session('d', 4), session('c', 3), session('b', 2), session('a', 1)];
    queries.setQueryData(recentSessionsQuery.queryKey, rows);
    queries.setQueryData(sessionsQuery(filter).queryKey, pageOf(rows.slice(0, 2), rows.slice(2)));
    applySessionChanges(queries, {
      sessions: [
        session('a', 6, { status: 'waiting' }),
        session('e', 5),
        session('c', 3, { status: 'archived' }),
        session('x', 7, { projectId: 'p2' }),
      ],
      hidden: ['b'],
    });
    expect(listed(queries)).toEqual(['a waiting', 'e idle', 'd idle']);
    expect(recent(queries)).toEqual(['x', 'a', 'e', 'd']);
  });

  it('reach the session that is open: what was archived takes no messages, and what was hidden is asked for again', () => {
    const queries = newClient();
    for (const id of ['a', 'b']) queries.setQueryData(sessionQuery(id).queryKey, session(id, 1));
    applySessionChanges(queries, {
      sessions: [session('a', 2, { status: 'archived' }), session('c', 3)],
      hidden: ['b'],
    });
    expect(queries.getQueryData(sessionQuery('a').queryKey)?.status).toBe('archived');
    expect(queries.getQueryState(sessionQuery('b').queryKey)?.isInvalidated).toBe(true);
    expect(queries.getQueryData(sessionQuery('c').queryKey)).toBeUndefined();
  });

  it('keep who works in shared files, and have the lists read again where that may have changed', () => {
    const queries = newClient();
    const use = {
      session: { id: 'b', title: 'B' },
      turnId: null,
      by: null,
      since: null,
    } as ListedSession['workspaceUse'];
    const shared = session('a', 1, { workspace: 'shared', workspaceUse: use });
    queries.setQueryData(recentSessionsQuery.queryKey, [shared]);
    const isRead = () => queries.getQueryState(recentSessionsQuery.queryKey)?.isInvalidated;
    applySessionChanges(queries, { sessions: [session('c', 2)], hidden: [] });
    expect(isRead()).toBe(false);
    applySessionChanges(queries, { sessions: [session('a', 3, { workspace: 'shared' })], hidden: [] });
    expect(queries.getQueryData(recentSessionsQuery.queryKey)?.map(({ workspaceUse }) => workspaceUse)).toEqual([
      use,
      null,
    ]);
    expect(isRead()).toBe(true);
  });

  it('leave a session that belongs to a page that was not read yet to that page', () => {
    const queries = newClient();
    const pages = pageOf([session('d', 4), session('c', 3)]);
    pages.pages[0]!.nextCursor = 'next';
    queries.setQueryData(sessionsQuery(filter).queryKey, pages);
    applySessionChanges(queries, { sessions: [session('a', 1, { status: 'running' })], hidden: [] });
    expect(listed(queries)).toEqual(['d idle', 'c idle']);
  });

  it('have a list that was searched read again, and create none that was never opened', () => {
    const queries = newClient();
    const searched = sessionsQuery({ search: 'x' });
    queries.setQueryData(searched.queryKey, pageOf([]));
    applySessionChanges(queries, { sessions: [session('a', 1)], hidden: [] });
    expect([queries.getQueryState(searched.queryKey)?.isInvalidated, recent(queries)]).toEqual([true, undefined]);
  });
});
