import { useQuery } from '@tanstack/react-query';
import { FileText, RotateCcw, TriangleAlert, X } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button';
import { Spinner } from '../../components/ui/spinner';
import { UntrustedText } from '../../components/text/untrusted-text';
import { formatBytes } from '../../lib/format/count';
import type { AttachedFile } from '../../lib/attachment/attached-file';
import { attachmentContentQuery } from './attachment.api';
import { useObjectUrl } from './use-object-url';

type Props = {
  /** Null where it is not there yet. */
  sessionId: string | null;
  files: { retry: (key: string) => void; remove: (key: string) => void };
  items: readonly AttachedFile[];
  onDone: () => void;
};

/** What every browser draws, by what a browser or the preparation said that it is. */
const DRAWN = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** The files of a message that is being written, with how far they are. */
export function AttachedChips({ sessionId, files, items, onDone }: Props) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Files of this message" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-4 py-1.5">
      {items.map((item) => (
        <Chip
          key={item.key}
          sessionId={sessionId}
          item={item}
          onRetry={() => files.retry(item.key)}
          onRemove={() => {
            files.remove(item.key);
            onDone();
          }}
        />
      ))}
    </ul>
  );
}

type ChipProps = { sessionId: string | null; item: AttachedFile; onRetry: () => void; onRemove: () => void };

function Chip({ sessionId, item, onRetry, onRemove }: ChipProps) {
  const { name, bytes, status, sentBytes, problem, file } = item;
  const isFailed = status === 'failed';
  return (
    <li
      className={`relative flex max-w-full items-center gap-2 overflow-hidden rounded-md border bg-sunken ps-1.5 text-sm ${isFailed ? 'border-bad' : 'border-line'}`}
    >
      <Thumbnail sessionId={sessionId} item={item} />
      <span className="min-w-0 py-1">
        <span className="block max-w-48 truncate font-medium" title={name}>
          <UntrustedText text={name} mode="prose" />
        </span>
        {isFailed ? (
          <span role="alert" className="block max-w-72 text-xs text-bad">
            {problem}
          </span>
        ) : (
          <span className="block text-xs text-muted tabular-nums">
            {status === 'sending'
              ? `${formatBytes(Math.min(sentBytes, bytes))} of ${formatBytes(bytes)}`
              : formatBytes(bytes)}
          </span>
        )}
      </span>
      {isFailed && file !== null && (
        <IconButton label={`Try ${name} again`} onClick={onRetry}>
          <RotateCcw size={14} />
        </IconButton>
      )}
      <IconButton label={`Remove ${name}`} onClick={onRemove}>
        <X size={14} />
      </IconButton>
      {status === 'sending' && (
        <span
          role="progressbar"
          aria-label={`Uploading ${name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percentOf(item)}
          className="absolute inset-x-0 bottom-0 h-0.5"
        >
          <span className="block h-full bg-accent transition-[width]" style={{ width: `${percentOf(item)}%` }} />
        </span>
      )}
    </li>
  );
}

function percentOf({ sentBytes, bytes }: AttachedFile): number {
  return bytes === 0 ? 0 : Math.min(100, Math.round((100 * sentBytes) / bytes));
}

function Thumbnail({ sessionId, item }: { sessionId: string | null; item: AttachedFile }) {
  const { attachment, file, status } = item;
  // After a reload the server alone has it.
  const isAway = file === null && attachment?.kind === 'image';
  const stored = useQuery({
    ...attachmentContentQuery({ sessionId: sessionId ?? '', attachmentId: attachment?.id ?? '' }),
    enabled: isAway && sessionId !== null,
  });
  const isHeld = attachment === null && status === 'ready' && DRAWN.has(file?.type ?? '');
  const url = useObjectUrl(isHeld || attachment?.kind === 'image' ? (file ?? stored.data ?? null) : null);
  if (status === 'failed') return <TriangleAlert size={16} aria-hidden="true" className="mx-1 shrink-0 text-bad" />;
  if (url !== null) return <img src={url} alt="" className="my-1 size-9 shrink-0 rounded-sm object-cover" />;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center text-muted">
      {status === 'sending' ? <Spinner size={14} /> : <FileText size={16} aria-hidden="true" />}
    </span>
  );
}
