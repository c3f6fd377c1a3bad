import type { WorkspaceDiff } from '@chirality/contracts';
import { parseUnifiedDiff, type FilePatch } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, FileDiff } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { plural } from '../../../lib/format/count';
import { ChangeCount } from '../../transcript/components/change-count';
import { DiffView } from '../../transcript/components/diff-view';
import { diffQuery } from '../api/get-diff';
import { CommitForm } from './commit-form';

const FEW_FILES = 4;

function ChangedFile({ file, patch, isOpen }: { file: WorkspaceDiff['files'][number]; patch: FilePatch | undefined; isOpen: boolean }) {
  return (
    <details open={isOpen} className="group border-b border-line">
      <summary className="flex list-none items-center gap-2 px-3 py-2 text-sm hover:bg-hover focus-visible:-outline-offset-2">
        <ChevronRight size={13} aria-hidden="true" className="shrink-0 text-faint transition-transform group-open:rotate-90" />
        <span className="min-w-0 flex-1 truncate font-mono">{file.path}</span>
        <ChangeCount additions={file.additions} deletions={file.deletions} />
      </summary>
      {patch !== undefined && patch.hunks.length > 0 ? <DiffView patch={patch} className="border-t border-line" /> : <p className="border-t border-line px-3 py-2 text-sm text-faint">Nothing to show: {file.status}</p>}
    </details>
  );
}

function Changes({ diff }: { diff: WorkspaceDiff }) {
  const patches = useMemo(() => new Map(parseUnifiedDiff(diff.patch).map((patch) => [patch.path, patch])), [diff.patch]);
  return (
    <>
      {diff.files.map((file) => (
        <ChangedFile key={file.path} file={file} patch={patches.get(file.path)} isOpen={diff.files.length <= FEW_FILES} />
      ))}
      {diff.truncated && <p className="px-3 py-2 text-sm text-muted">There is more than can be shown here.</p>}
    </>
  );
}

type Props = { sessionId: string; revision: number; mayCommit: boolean; isRunning: boolean };

/** What the session changed since it began. */
export function ChangesTab({ sessionId, revision, mayCommit, isRunning }: Props) {
  const diff = useQuery(diffQuery(sessionId, revision));
  return (
    <QueryGate query={diff} pending={<div className="p-4"><SkeletonRows count={4} className="h-7" /></div>}>
      {(data) =>
        data.files.length === 0 ? (
          <EmptyState icon={<FileDiff size={20} />} title="Nothing is changed">
            Compared with where the session began. Edits show up here as soon as they are made.
          </EmptyState>
        ) : (
          <>
            <p className="flex items-center justify-between border-b border-line px-3 py-2 text-sm text-muted">
              {plural(data.files.length, 'changed file')}
              <ChangeCount additions={data.files.reduce((sum, file) => sum + file.additions, 0)} deletions={data.files.reduce((sum, file) => sum + file.deletions, 0)} />
            </p>
            <Changes diff={data} />
            {mayCommit && <CommitForm sessionId={sessionId} isRunning={isRunning} />}
          </>
        )
      }
    </QueryGate>
  );
}
