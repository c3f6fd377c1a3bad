import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Menu, MenuItem, MenuLabel } from '../../../components/overlay/menu';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { formatBytes } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { useDownload, type WantedDownload } from './transfers.api';

type Download = ReturnType<typeof useDownloadHere>;

/** A download that ends with the page. */
export function useDownloadHere(sessionId: string) {
  const download = useDownload(sessionId);
  const [bytes, setBytes] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => {
    const current = new AbortController();
    stop.current = current;
    return () => current.abort(new Error('The page was left.'));
  }, []);
  const start = (wanted: WantedDownload) => {
    setBytes(0);
    download.mutate({ wanted, onProgress: setBytes, signal: stop.current.signal });
  };
  return { start, bytes, isPending: download.isPending, error: download.isError ? download.error : null };
}

/** How far it is, or why it failed. */
export function DownloadNote({ download: { isPending, bytes, error } }: { download: Download }) {
  if (error !== null)
    return (
      <p role="alert" className="px-3 py-1.5 text-sm text-bad">
        <FailureText error={error} />
      </p>
    );
  if (!isPending) return null;
  return (
    <p role="status" className="px-3 py-1.5 text-sm text-muted tabular-nums">
      {bytes === 0 ? 'Preparing the download…' : `Downloading… ${formatBytes(bytes)}`}
    </p>
  );
}

function Trigger({ download, isNarrow = false, ...rest }: { download: Download; isNarrow?: boolean }) {
  return (
    <Button size="small" icon={<Download size={14} />} busy={download.isPending} {...rest}>
      {isNarrow ? <span className="sr-only">Download</span> : 'Download'}
    </Button>
  );
}

/** All files of a session, or those of the folder that is open. */
export function FilesDownload({ download, folder }: { download: Download; folder: string }) {
  const as = (path: string, format: 'zip' | 'tar.gz') => () => download.start({ of: 'folder', path, format });
  return (
    <Menu align="start" trigger={<Trigger download={download} />}>
      {folder !== '' && (
        <>
          <MenuLabel>{revealHidden(folder)}</MenuLabel>
          <MenuItem onSelect={as(folder, 'zip')}>Folder as .zip</MenuItem>
          <MenuItem onSelect={as(folder, 'tar.gz')}>Folder as .tar.gz</MenuItem>
        </>
      )}
      <MenuLabel>All files</MenuLabel>
      <MenuItem onSelect={as('', 'zip')}>All files as .zip</MenuItem>
      <MenuItem onSelect={as('', 'tar.gz')}>All files as .tar.gz</MenuItem>
    </Menu>
  );
}

/** What is not committed yet. */
export function ChangesDownload({ download }: { download: Download }) {
  return (
    <Menu trigger={<Trigger download={download} isNarrow />}>
      <MenuItem onSelect={() => download.start({ of: 'changes', format: 'patch' })}>Changes as a patch</MenuItem>
      <MenuItem onSelect={() => download.start({ of: 'changes', format: 'zip' })}>Changed files as .zip</MenuItem>
    </Menu>
  );
}
