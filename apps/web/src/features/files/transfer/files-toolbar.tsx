import { Upload } from 'lucide-react';
import { useId, useRef } from 'react';
import { DialogEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { ProgressBar } from '../../../components/ui/progress-bar';
import { formatBytes } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import { DownloadNote, FilesDownload, useDownloadHere } from './download-menu';
import type { Uploads } from './use-uploads';

function Sending({ sending }: { sending: NonNullable<Uploads['sending']> }) {
  const label = useId();
  const { name, sent, bytes, left } = sending;
  return (
    <div className="grid gap-1 px-3 py-1.5">
      <p id={label} role="status" className="truncate text-sm text-muted">
        Sending {revealHidden(name)}
        {left > 0 && ` (${left} more)`} · {formatBytes(Math.min(sent, bytes))} of {formatBytes(bytes)}
      </p>
      <ProgressBar percent={bytes === 0 ? null : Math.min(100, Math.floor((sent / bytes) * 100))} labelledBy={label} />
    </div>
  );
}

function Replace({ asked }: { asked: NonNullable<Uploads['asked']> }) {
  return (
    <Dialog open onOpenChange={(open) => !open && asked.skip()} title="Replace this file?">
      <p className="text-muted">
        <code>{revealHidden(asked.path)}</code> is in this session already. Its content would be lost, unless it is
        committed.
      </p>
      <DialogEnd error={null}>
        <Button variant="quiet" onClick={asked.skip}>
          Keep it
        </Button>
        <Button variant="danger" onClick={asked.replace}>
          Replace
        </Button>
      </DialogEnd>
    </Dialog>
  );
}

/** Takes files out of the session and puts them in. `uploads` is null for those who may only look. */
export function FilesToolbar({
  sessionId,
  folder,
  uploads,
}: {
  sessionId: string;
  folder: string;
  uploads: Uploads | null;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const download = useDownloadHere(sessionId);
  return (
    <div className="shrink-0 border-b border-line">
      <div className="flex flex-wrap items-center gap-1.5 px-2 py-1.5">
        <FilesDownload download={download} folder={folder} />
        {uploads !== null && (
          <>
            <Button size="small" icon={<Upload size={14} />} onClick={() => picker.current?.click()}>
              Upload
            </Button>
            <input
              ref={picker}
              type="file"
              multiple
              aria-label="Files to upload"
              tabIndex={-1}
              className="sr-only"
              onChange={(event) => {
                const files = [...(event.target.files ?? [])];
                event.target.value = '';
                uploads.add(folder, files);
              }}
            />
            <span className="min-w-0 flex-1 truncate text-xs text-faint">
              {folder === '' ? 'or drop files here' : `into ${revealHidden(folder)}, or drop them here`}
            </span>
          </>
        )}
      </div>
      <DownloadNote download={download} />
      {uploads?.sending && <Sending sending={uploads.sending} />}
      {uploads?.failure && (
        <p role="alert" className="px-3 py-1.5 text-sm text-bad">
          {revealHidden(uploads.failure.name)}: <FailureText error={uploads.failure.error} />
        </p>
      )}
      {uploads?.done !== null && uploads?.sending === null && (
        <p role="status" className="truncate px-3 py-1.5 text-sm text-muted">
          {revealHidden(uploads.done)} is in this session now.
        </p>
      )}
      {uploads?.asked && <Replace asked={uploads.asked} />}
    </div>
  );
}
