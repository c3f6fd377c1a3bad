import type { Deletion } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { FailureText } from '../../../components/text/failure-text';
import { NameText } from '../../../components/text/untrusted-text';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { EmptyState } from '../../../components/ui/empty-state';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatDay, formatFull } from '../../../lib/format/time';
import { unpushedParts } from '../../../lib/format/unpushed-sentence';
import { deletionsQuery, usePurge, useRestoreDeleted } from '../deletion.api';

function Row({
  deleted,
  isBusy,
  onRestore,
  onPurge,
}: {
  deleted: Deletion;
  isBusy: boolean;
  onRestore: () => void;
  onPurge: () => void;
}) {
  const { kind, name, projectName, deletedBy, deletedAt, goneAt, work } = deleted;
  const left = work === null ? [] : unpushedParts(work);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">
          <NameText text={name} />
        </p>
        <p className="text-sm text-muted">
          {kind === 'project' ? 'Project with its sessions' : `Session in ${projectName}`} · deleted by{' '}
          <NameText text={deletedBy.name} />, <time dateTime={deletedAt}>{formatFull(deletedAt)}</time>
          {left.length > 0 && ` · ${left.join(', ')}`}
        </p>
        <p className="text-sm text-muted">
          Gone for good on <time dateTime={goneAt}>{formatDay(goneAt)}</time>
        </p>
      </div>
      <Button size="small" icon={<ArchiveRestore size={15} />} busy={isBusy} onClick={onRestore}>
        Restore
      </Button>
      <Button size="small" variant="danger" icon={<Trash2 size={15} />} onClick={onPurge}>
        Delete now…
      </Button>
    </li>
  );
}

/** What was deleted in the team, each with a way back until it is gone for good. */
export function DeletionList({ teamId }: { teamId: string | undefined }) {
  const deletions = useInfiniteQuery(deletionsQuery(teamId));
  const restore = useRestoreDeleted();
  const purge = usePurge();
  const [leaving, setLeaving] = useState<Deletion | null>(null);
  const rows = deletions.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {deletions.isPending && <SkeletonRows count={3} className="h-20 rounded-lg" />}
      {deletions.isError && rows === undefined && (
        <Callout tone="bad" role="alert">
          <FailureText error={deletions.error} />
        </Callout>
      )}
      {restore.isError && (
        <Callout tone="bad" role="alert" className="mb-3">
          <FailureText error={restore.error} />
        </Callout>
      )}
      {restore.isSuccess && (
        <Callout tone="good" role="status" className="mb-3" title={`“${restore.variables.name}” is restored`}>
          {restore.variables.kind === 'session' ? (
            <Link className="link" to="/sessions/$sessionId" params={{ sessionId: restore.variables.id }}>
              Go to the session
            </Link>
          ) : (
            <Link className="link" to="/projects/$projectId" params={{ projectId: restore.variables.id }}>
              Go to the project
            </Link>
          )}
        </Callout>
      )}
      {rows?.length === 0 && (
        <EmptyState icon={<Trash2 size={22} />} title="Nothing was deleted">
          Deleted sessions and projects are listed here for 30 days, with everything in them, for those who may restore
          them.
        </EmptyState>
      )}
      <ul aria-label="Recently deleted" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {rows?.map((deleted) => (
          <Row
            key={deleted.id}
            deleted={deleted}
            isBusy={restore.isPending && restore.variables.id === deleted.id}
            onRestore={() => restore.mutate(deleted)}
            onPurge={() => setLeaving(deleted)}
          />
        ))}
      </ul>
      {deletions.hasNextPage && (
        <div className="flex justify-center pt-4">
          <Button busy={deletions.isFetchingNextPage} onClick={() => void deletions.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <ConfirmDialog
        title={leaving === null ? '' : `Delete “${leaving.name}” for good?`}
        confirmLabel="Delete for good"
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        onConfirm={() => (leaving === null ? Promise.resolve() : purge.mutateAsync(leaving.id))}
      >
        Its messages and files{leaving?.kind === 'project' ? ', and those of all its sessions,' : ''} are removed now,
        and there is no way back. Cost and audit log stay.
        {leaving?.work && unpushedParts(leaving.work).length > 0 && (
          <span className="mt-2 block font-medium text-text">
            Only in this session: {unpushedParts(leaving.work).join(', ')}. To keep that, restore it first.
          </span>
        )}
      </ConfirmDialog>
    </>
  );
}
