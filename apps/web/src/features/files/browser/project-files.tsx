import type { Project, ProjectFileList } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText, Folder, GitCommitHorizontal } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/ui/empty-state';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { formatDay, formatFull } from '../../../lib/format/time';
import { useMedia } from '../../../lib/page/use-media';
import { filesQuery } from '../files.api';
import type { FileSource } from '../file-source';
import { fileOfPath, pathOfFolder, type OnPlace } from '../files-search';
import { useFocusRow } from './use-focus-row';
import { useOpenFolders, type OpenFolders } from '../tree/use-open-folders';
import { FileBrowser } from './file-browser';
import { FilePane } from './file-pane';
import { FileView } from '../view/file-view';

/** Of a commit's id as git shows it. */
const SHORT_ID = 7;

type Props = {
  project: Project;
  mayWrite: boolean;
  path: string;
  onPath: (path: string | undefined, options: { replace: boolean }) => void;
};

/** The commit that the files are of. */
function AtCommit({ commit }: { commit: ProjectFileList['commit'] }) {
  return (
    <p
      className="flex items-center gap-1.5 text-sm text-muted max-phone:basis-full"
      title={`${commit.commit}, ${formatFull(commit.at)}`}
    >
      <GitCommitHorizontal size={15} aria-hidden="true" />
      <span>
        Commit <code>{commit.commit.slice(0, SHORT_ID)}</code> ·{' '}
        <time dateTime={commit.at}>{formatDay(commit.at)}</time>
      </span>
    </p>
  );
}

function Empty({ mayWrite }: { mayWrite: boolean }) {
  return (
    <EmptyState icon={<Folder size={20} />} title="This project is empty">
      New sessions start without files.{' '}
      {mayWrite &&
        'Start one and ask Claude to write the first, or create another project from a repository or an archive.'}
    </EmptyState>
  );
}

type SplitProps = { source: FileSource; place: string; onPlace: OnPlace; folders: OpenFolders };

function Split({ source, place, onPlace, folders }: SplitProps) {
  const row = useFocusRow(place);
  const [find, setFind] = useState('');
  const file = fileOfPath(place);
  return (
    <div className="grid h-[calc(100dvh-18rem)] min-h-96 grid-cols-[18rem_minmax(0,1fr)]">
      <FilePane
        source={source}
        shown={file}
        onPlace={onPlace}
        folders={folders}
        row={row}
        marked={null}
        find={find}
        onFind={setFind}
        empty={null}
        className="border-e border-line"
      />
      <div className="min-h-0 min-w-0">
        {file === null ? (
          <EmptyState icon={<FileText size={20} />} title="No file selected">
            Select a file to see its content.
          </EmptyState>
        ) : (
          <FileView key={file} source={source} path={file} onBack={null} onPlace={onPlace} />
        )}
      </div>
    </div>
  );
}

/** The files that a new session of the project gets. What is looked at is in the address, so that it can be shared. */
export function ProjectFiles({ project, mayWrite, path, onPath }: Props) {
  const isWide = useMedia('(min-width: 70rem)');
  const file = fileOfPath(path);
  const source: FileSource = { of: 'projects', id: project.id, revision: '' };
  const top = useInfiniteQuery(filesQuery(source, ''));
  const first = top.data?.pages[0];
  // Not by whether it failed: where the tree is put elsewhere it is mounted again, and asks again, and fails again.
  const isSplit = isWide && first?.total !== 0;
  // While a file is looked at the address is the file's.
  const folders = useOpenFolders(
    path,
    (folder, isOpen) => file === null && onPath(pathOfFolder(folder, isOpen), { replace: true }),
  );
  const open: OnPlace = (place, { replace } = { replace: false }) =>
    onPath(place === '' ? undefined : place, { replace });
  return (
    <Section
      title="Files"
      description="What every new session starts with. Changes made in sessions aren’t shown here."
      actions={first?.commit !== undefined && <AtCommit commit={first.commit} />}
    >
      <div className="overflow-hidden rounded-lg border border-line bg-canvas shadow-card">
        {top.isError && first === undefined && file === null ? (
          <QueryGate query={top} pending={null}>
            {() => null}
          </QueryGate>
        ) : isSplit ? (
          <Split source={source} place={path} onPlace={open} folders={folders} />
        ) : (
          <FileBrowser
            source={source}
            place={path}
            onPlace={open}
            folders={folders}
            marked={null}
            empty={<Empty mayWrite={mayWrite} />}
          />
        )}
      </div>
    </Section>
  );
}
