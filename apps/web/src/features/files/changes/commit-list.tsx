import type { SessionCommit } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, GitCommitHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { CopyButton } from '../../../components/ui/copy-button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { revealHidden } from '../../../lib/text/reveal';
import { useMinute } from '../../../lib/state/use-now';
import { commitsQuery, diffQuery } from './changes.api';
import { FileChanges } from './file-changes';
import { WrapButton } from '../../../components/diff/wrap-button';

const SHOWN_HASH = 10;

function CommitChanges({ sessionId, commit }: { sessionId: string; commit: string }) {
  const comparison = { commit };
  const diff = useInfiniteQuery(diffQuery(sessionId, comparison, { revision: '', isRunning: false }));
  return (
    <QueryGate query={diff} pending={<SkeletonRows count={2} className="m-3 h-6" />}>
      {({ pages }) => (
        <>
          <FileChanges
            sessionId={sessionId}
            comparison={comparison}
            files={pages.flatMap((page) => page.files)}
            patch={pages[0]?.patch ?? ''}
          />
          {diff.hasNextPage && (
            <Button
              size="small"
              className="m-2"
              busy={diff.isFetchingNextPage}
              onClick={() => void diff.fetchNextPage()}
            >
              Show more files
            </Button>
          )}
        </>
      )}
    </QueryGate>
  );
}

function Commit({ sessionId, commit, now }: { sessionId: string; commit: SessionCommit; now: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="border-b border-line">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="flex list-none items-center gap-2 px-3 py-2 text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-3">
          <ChevronRight
            size={13}
            aria-hidden="true"
            className="shrink-0 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 flex-1">
            <span className="block truncate">{revealHidden(commit.subject)}</span>
            <span className="block truncate text-xs text-muted">
              <span className="font-mono">{commit.commit.slice(0, SHOWN_HASH)}</span> ·{' '}
              {revealHidden(commit.author.name)} ·{' '}
              <time dateTime={commit.at} title={formatFull(commit.at)}>
                {formatAgo(commit.at, now)}
              </time>
            </span>
          </span>
        </summary>
        {isOpen && (
          <>
            <p className="flex items-center gap-2 border-t border-line px-3 py-1 text-xs text-muted">
              <code className="min-w-0 truncate">{commit.commit}</code>
              <CopyButton text={commit.commit} label="Copy the commit hash" />
            </p>
            <CommitChanges sessionId={sessionId} commit={commit.commit} />
          </>
        )}
      </details>
    </li>
  );
}

type Props = { sessionId: string; revision: string; isAlone: boolean };

/**
 * The commits of the session, each with what it changed. Nothing while there is none. `isAlone`: no other changes stand
 * above.
 */
export function CommitGroup({ sessionId, revision, isAlone }: Props) {
  const commits = useInfiniteQuery(commitsQuery(sessionId, revision));
  const now = useMinute();
  const total = commits.data?.pages[0]?.total ?? 0;
  if (total === 0) return null;
  return (
    <section aria-label="Committed">
      <h2 className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-2 text-sm font-medium text-muted">
        <GitCommitHorizontal size={15} aria-hidden="true" /> <span className="min-w-0 flex-1">Committed ({total})</span>
        {isAlone && <WrapButton />}
      </h2>
      <ul>
        {commits.data?.pages
          .flatMap((page) => page.data)
          .map((commit) => (
            <Commit key={commit.commit} sessionId={sessionId} commit={commit} now={now} />
          ))}
      </ul>
      {commits.hasNextPage && (
        <Button
          size="small"
          className="m-2"
          busy={commits.isFetchingNextPage}
          onClick={() => void commits.fetchNextPage()}
        >
          Show more commits
        </Button>
      )}
    </section>
  );
}
