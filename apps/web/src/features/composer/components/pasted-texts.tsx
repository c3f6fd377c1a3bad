import { FileText, Undo2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { CopyButton } from '../../../components/ui/copy-button';
import { Dialog } from '../../../components/overlay/dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { LongText } from '../../../components/text/long-text';
import { formatBytes } from '../../../lib/format/count';
import type { Draft } from '../../../lib/message/draft';
import { MAX_FIELD_CHARACTERS, usedIn, type PastedText, type Words } from '../../../lib/message/pasted-text';

/** How long it is, for people. */
function extent({ lines, bytes }: PastedText): string {
  return `${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'} · ${formatBytes(bytes)}`;
}

type Props = { draft: Draft; words: Words; /** The message is written on. */ onDone: () => void };

/**
 * The long texts that were pasted into a message, each to be looked at, made a part of the field's text, and removed.
 */
export function PastedTexts({ draft, words, onDone }: Props) {
  const [shown, setShown] = useState<PastedText | null>(null);
  /** Where the focus goes when the dialog is closed. */
  const goBack = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (shown !== null) return;
    goBack.current?.();
    goBack.current = null;
  }, [shown]);
  const used = usedIn(words);
  const removed = draft.lastRemoved;
  const isEditable = shown !== null && words.text.length + shown.content.length <= MAX_FIELD_CHARACTERS;
  if (used.length === 0 && removed === null) return null;
  return (
    <>
      <ul aria-label="Pasted texts" className="flex max-h-32 flex-wrap gap-2 overflow-y-auto px-4 py-1.5">
        {used.map((item) => (
          <li key={item.id} className="flex max-w-full items-center rounded-md border border-line bg-sunken">
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => {
                goBack.current = () => currentTarget.focus();
                setShown(item);
              }}
              className="flex min-h-8 min-w-0 items-center gap-2 rounded-md ps-2.5 pe-1 text-start text-sm hover:text-accent pointer-coarse:min-h-11"
            >
              <FileText size={14} aria-hidden="true" className="shrink-0 text-muted" />
              <span className="min-w-0">
                <span className="font-medium">Pasted text {item.number}</span>{' '}
                <span className="text-muted">· {extent(item)}</span>
              </span>
            </button>
            <IconButton
              label={`Remove pasted text ${item.number}`}
              onClick={() => {
                draft.remove(item);
                onDone();
              }}
            >
              <X size={14} />
            </IconButton>
          </li>
        ))}
        {removed !== null && (
          <li className="flex max-w-full flex-wrap items-center gap-x-2 rounded-md border border-dashed border-line-strong ps-2.5 text-sm text-muted">
            <span role="status">Pasted text {removed.number} was removed.</span>
            <Button
              size="small"
              variant="quiet"
              icon={<Undo2 size={14} />}
              onClick={() => {
                draft.putBack(removed);
                onDone();
              }}
            >
              Put back
            </Button>
          </li>
        )}
      </ul>
      <Dialog
        open={shown !== null}
        onOpenChange={(open) => !open && setShown(null)}
        title={`Pasted text ${shown?.number ?? ''}`}
        description={shown !== null && extent(shown)}
        wide
        footer={
          shown !== null && (
            <>
              {!isEditable && (
                <p className="me-auto self-center text-sm text-muted">
                  It is too large to be edited in the message field.
                </p>
              )}
              <CopyButton text={shown.content} label="Copy the pasted text" />
              <Button
                disabled={!isEditable}
                onClick={() => {
                  draft.unfold(shown);
                  goBack.current = onDone;
                  setShown(null);
                }}
              >
                Edit in the message
              </Button>
            </>
          )
        }
      >
        {shown !== null && <LongText text={shown.content} className="font-mono text-sm" />}
      </Dialog>
    </>
  );
}
