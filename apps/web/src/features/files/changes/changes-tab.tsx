import type { WorkspaceDiff } from '@chirality/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { FileDiff } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatBytes, plural } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { ChangeCount } from '../../../components/diff/change-count';
import { commitsQuery, diffQuery, UNCOMMITTED } from './changes.api';
import { CommentingContext, type Place } from '../comments/commenting';
import { commentsQuery } from '../comments/comments.api';
import { CommentsBar } from '../comments/comments-bar';
import { CommitForm } from './commit-form';
import { CommitGroup } from './commit-list';
import { ChangesDownload, DownloadNote, useDownloadHere } from '../transfer/download-menu';
import { useUser } from '../../access/hooks/use-user';
import { FileChanges } from './file-changes';
import { WrapButton } from '../../../components/diff/wrap-button';
import { FailureText } from '../../../components/text/failure-text';

function LeftOut({ nested, skipped }: Pick<WorkspaceDiff, 'nested' | 'skipped'>) {
  if (nested.length + skipped.length === 0) return null;
  return (
    <div className="stack gap-2 p-3">
      {nested.length > 0 && (
        <Callout title={`Not included: ${plural(nested.length, 'nested repository', 'nested repositories')}`}>
          {nested.map((path) => (
            <code key={path} className="me-2">
              {revealHidden(path)}
            </code>
          ))}
          <span className="block text-sm text-muted">
            These directories have their own git repository. Their files are not compared and not committed here.
          </span>
        </Callout>
      )}
      {skipped.length > 0 && (
        <Callout title="Too large to compare">
          {skipped.map(({ path, size }) => (
            <span key={path} className="block">
              <code>{revealHidden(path)}</code> ({formatBytes(size)})
            </span>
          ))}
        </Callout>
      )}
    </div>
  );
}

type Props = { sessionId: string; sessionTitle: string; revision: string; mayCommit: boolean; isRunning: boolean };

function Uncommitted({
  sessionId,
  sessionTitle,
  diff,
  mayCommit,
  isRunning,
}: Omit<Props, 'revision'> & {
  diff: { pages: WorkspaceDiff[]; hasMore: boolean; isLoading: boolean; more: () => void };
}) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const download = useDownloadHere(sessionId);
  const first = diff.pages[0]!;
  const files = diff.pages.flatMap((page) => page.files);
  const { totals } = first;
  const choose = (path: string, isChosen: boolean) =>
    setLeft((before) => (isChosen ? new Set([...before].filter((one) => one !== path)) : new Set([...before, path])));
  const chosen = files.filter((file) => !left.has(file.path));
  const isEverything = chosen.length === files.length;
  const rest = totals.files - files.length;
  const least = totals.atLeast ? 'At least ' : '';
  if (totals.files === 0)
    return <p className="border-b border-line px-3 py-3 text-sm text-muted">No uncommitted changes.</p>;
  return (
    <section aria-label="Uncommitted">
      <h2 className="flex items-center gap-3 border-b border-line bg-sunken px-3 py-2 text-sm font-medium text-muted">
        {mayCommit && (
          <input
            type="checkbox"
            aria-label="Choose all files"
            checked={isEverything}
            ref={(box) => void (box && (box.indeterminate = !isEverything && chosen.length > 0))}
            onChange={() => setLeft(isEverything ? new Set(files.map((file) => file.path)) : new Set())}
            className="size-4 accent-accent"
          />
        )}
        <span className="min-w-0 flex-1">
          {least}
          {plural(totals.files, 'uncommitted file')}
        </span>
        <ChangeCount additions={totals.additions} deletions={totals.deletions} />
        <ChangesDownload download={download} />
        <WrapButton />
      </h2>
      <DownloadNote download={download} />
      <FileChanges
        sessionId={sessionId}
        comparison={UNCOMMITTED}
        files={files}
        patch={first.patch}
        selection={mayCommit ? { isChosen: (path) => !left.has(path), choose } : null}
      />
      {diff.hasMore && (
        <Button size="small" className="m-2" busy={diff.isLoading} onClick={diff.more}>
          Show more ({rest.toLocaleString('en-US')} more files)
        </Button>
      )}
      {mayCommit && (
        <CommitForm
          sessionId={sessionId}
          sessionTitle={sessionTitle}
          isRunning={isRunning}
          total={totals.files}
          chosen={
            isEverything
              ? null
              : chosen.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]))
          }
          chosenCount={isEverything ? totals.files : chosen.length}
        />
      )}
    </section>
  );
}

/** What the session changed: files that are not committed yet, then its commits. */
export function ChangesTab({ sessionId, sessionTitle, revision, mayCommit, isRunning }: Props) {
  const diff = useInfiniteQuery(diffQuery(sessionId, UNCOMMITTED, { revision, isRunning }));
  const commits = useInfiniteQuery(commitsQuery(sessionId, revision));
  const commitCount = commits.data?.pages[0]?.total;
  const me = useUser();
  const comments = useQuery(commentsQuery(sessionId, revision)).data;
  const [open, setOpen] = useState<Place | null>(null);
  const commenting = useMemo(
    () => ({ sessionId, myId: me.id, mayWrite: mayCommit, comments: comments ?? [], open, setOpen }),
    [sessionId, me.id, mayCommit, comments, open],
  );
  return (
    <QueryGate
      query={diff}
      pending={
        <div className="p-4">
          <SkeletonRows count={4} className="h-7" />
        </div>
      }
    >
      {({ pages }) => {
        const first = pages[0]!;
        const isUntouched =
          first.totals.files === 0 && !first.totals.atLeast && first.nested.length + first.skipped.length === 0;
        if (isUntouched && commitCount === 0 && commenting.comments.length === 0) {
          return (
            <EmptyState icon={<FileDiff size={20} />} title="Nothing is changed">
              Compared with where the session began. Edits show up here as soon as they are made.
            </EmptyState>
          );
        }
        return (
          <CommentingContext value={commenting}>
            <CommentsBar commenting={commenting} isRunning={isRunning} />
            {diff.isError && (
              <Callout tone="warn" role="status" className="m-2">
                <FailureText error={diff.error} />
              </Callout>
            )}
            <Uncommitted
              sessionId={sessionId}
              sessionTitle={sessionTitle}
              mayCommit={mayCommit}
              isRunning={isRunning}
              diff={{
                pages,
                hasMore: diff.hasNextPage,
                isLoading: diff.isFetchingNextPage,
                more: () => void diff.fetchNextPage(),
              }}
            />
            <LeftOut nested={first.nested} skipped={first.skipped} />
            <CommitGroup sessionId={sessionId} revision={revision} isAlone={first.totals.files === 0} />
          </CommentingContext>
        );
      }}
    </QueryGate>
  );
}
