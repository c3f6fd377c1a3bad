import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquarePlus, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { EmptyState } from '../../../components/ui/empty-state';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { sessionsQuery } from '../session.api';
import { SessionRow } from './session-row';
import { FailureText } from '../../../components/text/failure-text';

export function SessionList({ projectId }: { projectId: string }) {
  const [search, setSearch] = useState('');
  const [isArchiveShown, setArchiveShown] = useState(false);
  const asked = useDeferredValue(search.trim());
  const sessions = useInfiniteQuery(
    sessionsQuery({ projectId, ...(asked !== '' && { search: asked }), ...(isArchiveShown && { archived: true }) }),
  );
  const rows = sessions.data?.pages.flatMap((page) => page.data);
  const isEmpty = rows?.length === 0;
  const isFiltered = asked !== '' || isArchiveShown;

  return (
    <>
      <div className="flex flex-wrap items-center gap-3 pb-3">
        <label className="relative min-w-52 flex-1">
          <span className="sr-only">Search sessions</span>
          <Search size={15} aria-hidden="true" className="absolute start-3 top-1/2 -translate-y-1/2 text-faint" />
          <input
            type="search"
            placeholder="Search sessions"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            maxLength={200}
            className="h-9 w-full rounded-md border border-line-strong bg-surface ps-9 pe-3 focus-visible:border-accent focus-visible:outline-offset-0 pointer-coarse:h-11"
          />
        </label>
        <label className="flex cursor-pointer items-center gap-2 text-sm text-muted">
          <input
            type="checkbox"
            checked={isArchiveShown}
            onChange={(event) => setArchiveShown(event.target.checked)}
            className="size-4 accent-accent"
          />
          Show archived
        </label>
        <Link to="/deleted" className="link text-sm">
          Recently deleted
        </Link>
      </div>
      {rows === undefined && !sessions.isError && <SkeletonRows count={5} className="h-16 rounded-lg" />}
      {sessions.isError && rows === undefined && (
        <Callout
          tone="bad"
          role="alert"
          actions={
            <Button size="small" onClick={() => void sessions.refetch()}>
              Try again
            </Button>
          }
        >
          <FailureText error={sessions.error} />
        </Callout>
      )}
      {isEmpty && isFiltered && (
        <p className="py-10 text-center text-muted">{asked === '' ? 'No archived sessions.' : 'No results'}</p>
      )}
      {isEmpty && !isFiltered && (
        <EmptyState icon={<MessageSquarePlus size={22} />} title="No open sessions">
          A session is one conversation with Claude in its own copy of the project. Your team can watch it, answer and
          continue it.
        </EmptyState>
      )}
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card empty:hidden">
        {rows?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.hasNextPage && (
        <div className="flex justify-center pt-4">
          <Button busy={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
