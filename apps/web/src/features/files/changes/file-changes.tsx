import type { DiffFile } from '@chirality/contracts';
import { parseUnifiedDiff, type FilePatch } from '@chirality/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { LoadFailure } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatBytes } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { ChangeCount } from '../../../components/diff/change-count';
import { DiffView } from '../../../components/diff/diff-view';
import type { Comparison } from '../comparison';
import { filePatchQuery } from './changes.api';
import { useLineTools } from '../comments/use-line-tools';
import { fileSentence } from './file-sentence';

type Of = { sessionId: string; comparison: Comparison };
type Selection = { isChosen: (path: string) => boolean; choose: (path: string, isChosen: boolean) => void };

/** A patch that was too large for the list, read when the user opens it. */
function LargePatch({ sessionId, comparison, file }: Of & { file: DiffFile }) {
  const tools = useLineTools(comparison, file.path);
  const version = `${file.additions}/${file.deletions}/${file.patchBytes ?? ''}`;
  const parts = useInfiniteQuery(
    filePatchQuery({ sessionId, comparison, path: file.path, oldPath: file.oldPath, version }),
  );
  const patch = useMemo(
    () => parseUnifiedDiff(parts.data?.pages.map((page) => page.patch).join('') ?? '')[0],
    [parts.data],
  );
  if (parts.isError) return <LoadFailure query={parts} className="m-2" />;
  if (parts.data === undefined) return <SkeletonRows count={3} className="m-3 h-5" />;
  return (
    <>
      {patch !== undefined && patch.hunks.length > 0 ? (
        <DiffView patch={patch} tools={tools} className="border-t border-line" />
      ) : (
        <Nothing file={file} />
      )}
      {parts.hasNextPage && (
        <Button size="small" className="m-2" busy={parts.isFetchingNextPage} onClick={() => void parts.fetchNextPage()}>
          Load more of this file
        </Button>
      )}
    </>
  );
}

function Nothing({ file }: { file: DiffFile }) {
  return <p className="border-t border-line px-3 py-2 text-sm text-muted">{fileSentence(file)}</p>;
}

function Body({ file, patch, ...of }: Of & { file: DiffFile; patch: FilePatch | undefined }) {
  const [isWanted, setWanted] = useState(file.patchBytes === null);
  const tools = useLineTools(of.comparison, file.path);
  if (file.patch === 'none') return <Nothing file={file} />;
  if (file.patch === 'shown')
    return patch !== undefined && patch.hunks.length > 0 ? (
      <DiffView patch={patch} tools={tools} className="border-t border-line" />
    ) : (
      <Nothing file={file} />
    );
  if (isWanted) return <LargePatch {...of} file={file} />;
  return (
    <p className="flex items-center gap-3 border-t border-line px-3 py-2 text-sm text-muted">
      Large diff{file.patchBytes !== null && ` (${formatBytes(file.patchBytes)})`}, not shown.
      <Button size="small" onClick={() => setWanted(true)}>
        Show
      </Button>
    </p>
  );
}

function ChangedFile({
  file,
  patch,
  startsOpen,
  selection,
  ...of
}: Of & { file: DiffFile; patch: FilePatch | undefined; startsOpen: boolean; selection: Selection | null }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const name = revealHidden(file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}`);
  return (
    <li className="flex border-b border-line">
      {selection !== null && (
        <label className="flex shrink-0 cursor-pointer items-start py-2.5 ps-3 pointer-coarse:py-3.5">
          <span className="sr-only">Commit {name}</span>
          <input
            type="checkbox"
            checked={selection.isChosen(file.path)}
            onChange={(event) => selection.choose(file.path, event.target.checked)}
            className="size-4 accent-accent"
          />
        </label>
      )}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group min-w-0 flex-1">
        <summary className="flex list-none items-center gap-2 px-3 py-2 text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-3">
          <ChevronRight
            size={13}
            aria-hidden="true"
            className="shrink-0 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 flex-1 truncate font-mono" title={name}>
            {name}
          </span>
          {file.binary || file.additions + file.deletions === 0 ? (
            <span className="shrink-0 text-xs text-faint">{fileSentence(file)}</span>
          ) : (
            <ChangeCount additions={file.additions} deletions={file.deletions} />
          )}
        </summary>
        {isOpen && <Body {...of} file={file} patch={patch} />}
      </details>
    </li>
  );
}

const FEW_FILES = 4;

/** Changed files, each with its diff behind a click; few of them are open at once. */
export function FileChanges({
  files,
  patch,
  selection = null,
  ...of
}: Of & { files: DiffFile[]; patch: string; selection?: Selection | null }) {
  const patches = useMemo(() => new Map(parseUnifiedDiff(patch).map((one) => [one.path, one])), [patch]);
  return (
    <ul>
      {files.map((file) => (
        <ChangedFile
          key={file.path}
          {...of}
          file={file}
          patch={patches.get(file.path)}
          startsOpen={files.length <= FEW_FILES}
          selection={selection}
        />
      ))}
    </ul>
  );
}
