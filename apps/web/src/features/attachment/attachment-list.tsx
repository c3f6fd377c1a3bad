import type { Attachment } from '@chirality/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, FileText, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../components/overlay/dialog';
import { MAX_PDF_BYTES } from '../../components/pdf/pdf-limits';
import { PdfView } from '../../components/pdf/pdf-view';
import { FailureText } from '../../components/text/failure-text';
import { UntrustedText } from '../../components/text/untrusted-text';
import { Button } from '../../components/ui/button';
import { Spinner } from '../../components/ui/spinner';
import { formatBytes } from '../../lib/format/count';
import { saveBlob } from '../../lib/page/save-blob';
import { attachmentContentQuery } from './attachment.api';
import { useObjectUrl } from './use-object-url';

type One = { sessionId: string; attachment: Attachment };

/** What went with a message, for everyone who reads it: pictures to look at, and everything to download. */
export function AttachmentList({ sessionId, attachments }: { sessionId: string; attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="max-w-full">
          {attachment.kind === 'image' ? (
            <Picture sessionId={sessionId} attachment={attachment} />
          ) : attachment.kind === 'document' && attachment.bytes <= MAX_PDF_BYTES ? (
            <Document sessionId={sessionId} attachment={attachment} />
          ) : (
            <FileChip sessionId={sessionId} attachment={attachment} />
          )}
        </li>
      ))}
    </ul>
  );
}

const CHIP =
  'flex min-h-9 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-start text-sm transition-colors hover:enabled:border-line-strong pointer-coarse:min-h-11';

/** Fetches it if it was not, and hands it to the browser’s downloads. */
function useDownload({ sessionId, attachment }: One) {
  const queries = useQueryClient();
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const download = async () => {
    setState({ isBusy: true, error: null });
    try {
      const query = attachmentContentQuery({ sessionId, attachmentId: attachment.id });
      saveBlob(await queries.ensureQueryData(query), attachment.name);
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return { ...state, download: () => void download() };
}

function FileChip({ sessionId, attachment }: One) {
  const { isBusy, error, download } = useDownload({ sessionId, attachment });
  return (
    <>
      <button type="button" onClick={download} disabled={isBusy} title={attachment.name} className={CHIP}>
        {isBusy ? <Spinner size={14} /> : <FileText size={14} aria-hidden="true" className="shrink-0 text-muted" />}
        <span className="min-w-0 truncate font-medium">
          <span className="sr-only">Download </span>
          <UntrustedText text={attachment.name} mode="prose" />
        </span>
        <span className="shrink-0 text-xs text-muted">{formatBytes(attachment.bytes)}</span>
        <Download size={13} aria-hidden="true" className="shrink-0 text-faint" />
      </button>
      {error !== null && (
        <p role="alert" className="pt-1 text-xs text-bad">
          <FailureText error={error} />
        </p>
      )}
    </>
  );
}

/** A PDF, which is shown page by page. */
function Document({ sessionId, attachment }: One) {
  const [isOpen, setOpen] = useState(false);
  const content = useQuery({
    ...attachmentContentQuery({ sessionId, attachmentId: attachment.id }),
    enabled: isOpen,
  });
  const { name } = attachment;
  const { isBusy, error, download } = useDownload({ sessionId, attachment });
  return (
    <>
      <button type="button" aria-haspopup="dialog" title={name} onClick={() => setOpen(true)} className={CHIP}>
        <FileText size={14} aria-hidden="true" className="shrink-0 text-muted" />
        <span className="min-w-0 truncate font-medium">
          <span className="sr-only">Show document </span>
          <UntrustedText text={name} mode="prose" />
        </span>
        <span className="shrink-0 text-xs text-muted">{formatBytes(attachment.bytes)}</span>
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={name}
        description={`PDF · ${formatBytes(attachment.bytes)}`}
        wide
        footer={
          <Button icon={<Download size={14} />} busy={isBusy} onClick={download}>
            Download
          </Button>
        }
      >
        <div className="h-[60dvh]">
          {content.data !== undefined && <PdfView blob={content.data} name={name} />}
          {content.isLoading && <Spinner size={16} />}
        </div>
        {(content.error ?? error) !== null && (
          <p role="alert" className="text-sm text-bad">
            <FailureText error={content.error ?? error} />
          </p>
        )}
      </Dialog>
    </>
  );
}

function Picture({ sessionId, attachment }: One) {
  const [isOpen, setOpen] = useState(false);
  const content = useQuery(attachmentContentQuery({ sessionId, attachmentId: attachment.id }));
  const url = useObjectUrl(content.data ?? null);
  const { width = 4, height = 3, name } = attachment;
  const { isBusy, download } = useDownload({ sessionId, attachment });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Show picture ${name}`}
        title={name}
        onClick={() => setOpen(true)}
        // The row has its height before the picture is there.
        style={{ aspectRatio: `${width} / ${height}` }}
        className="flex h-28 max-w-full min-w-12 items-center justify-center overflow-hidden rounded-md border border-line bg-surface transition-colors hover:border-line-strong"
      >
        {url !== null ? (
          <img src={url} alt="" className="size-full object-contain" />
        ) : content.isError ? (
          <ImageOff size={18} aria-label="The picture could not be loaded" className="text-faint" />
        ) : (
          <Spinner size={14} />
        )}
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={name}
        description={attachment.width !== undefined && `${width} × ${height} pixels · ${formatBytes(attachment.bytes)}`}
        wide
        footer={
          <Button icon={<Download size={14} />} busy={isBusy} onClick={download}>
            Download
          </Button>
        }
      >
        {url !== null && <img src={url} alt={name} className="mx-auto max-h-[60dvh] max-w-full object-contain" />}
        {content.isError && (
          <p role="alert" className="text-sm text-bad">
            <FailureText error={content.error} />
          </p>
        )}
      </Dialog>
    </>
  );
}
