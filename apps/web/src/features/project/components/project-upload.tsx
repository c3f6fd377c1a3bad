import type { Project } from '@chirality/contracts';
import { Upload } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { ProgressBar } from '../../../components/ui/progress-bar';
import { FailureText } from '../../../components/text/failure-text';
import { formatBytes } from '../../../lib/format/count';
import { UPLOAD_LIMIT, useUploadArchive } from '../project.api';

/** Takes the archive that a project's files come from, and shows how much of it has been sent. */
export function ProjectUpload({ project }: { project: Project }) {
  const picker = useRef<HTMLInputElement>(null);
  const stop = useRef(new AbortController());
  const label = useId();
  const [sent, setSent] = useState(0);
  const upload = useUploadArchive(project.id);
  const send = (archive: File) => {
    setSent(0);
    upload.mutate({ archive, onProgress: setSent, signal: stop.current.signal });
  };
  useEffect(() => {
    const current = new AbortController();
    stop.current = current;
    return () => current.abort(new Error('The page was left.'));
  }, []);
  const bytes = upload.variables?.archive.size ?? 0;

  return (
    <section
      aria-labelledby={label}
      className="grid gap-2.5 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card"
    >
      <p id={label} role="status" className="font-medium">
        {upload.isPending ? `Sending ${upload.variables.archive.name}` : 'Upload the project’s files'}
      </p>
      {upload.isPending ? (
        <>
          <ProgressBar
            percent={bytes === 0 ? null : Math.min(100, Math.floor((sent / bytes) * 100))}
            labelledBy={label}
          />
          <p className="text-sm text-muted tabular-nums">
            {formatBytes(Math.min(sent, bytes))} of {formatBytes(bytes)}. Stay on this page until it is sent.
          </p>
        </>
      ) : (
        <>
          <p className="text-sm text-muted">
            One .zip or .tar.gz archive of at most {UPLOAD_LIMIT}. Files that its .gitignore names are left out; the
            history of a git repository in it is kept.
          </p>
          {upload.error && (
            <Callout tone="bad" role="alert">
              <FailureText error={upload.error} />
            </Callout>
          )}
          <div>
            <Button variant="primary" icon={<Upload size={15} />} onClick={() => picker.current?.click()}>
              Choose an archive
            </Button>
            <input
              ref={picker}
              type="file"
              accept=".zip,.tar.gz,.tgz,application/zip,application/gzip"
              aria-label="Archive"
              tabIndex={-1}
              className="sr-only"
              onChange={(event) => {
                const archive = event.target.files?.[0];
                event.target.value = '';
                if (archive) send(archive);
              }}
            />
          </div>
        </>
      )}
    </section>
  );
}
