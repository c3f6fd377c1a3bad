import type { Attachment } from '@chirality/contracts';
import type { TurnView } from '@chirality/domain';
import { Bot, Minimize2, Rocket } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../../../components/ui/avatar';
import { CopyButton } from '../../../components/ui/copy-button';
import { LongText } from '../../../components/text/long-text';
import { AttachmentList } from '../../attachment/attachment-list';
import { formatFull, formatTime } from '../../../lib/format/time';
import { revealInProse } from '../../../lib/text/reveal';
import { useOpenRow, useReading } from '../reading-context';
import { SchemaNote } from './schema-note';

/** A message longer than this is folded until the user unfolds it. */
const FOLDED_LINES = 14;
const FOLDED_CHARACTERS = 1_600;

function beginningOf(message: string): string {
  return revealInProse(message.slice(0, FOLDED_CHARACTERS)).split('\n').slice(0, FOLDED_LINES).join('\n');
}

function isLong(message: string): boolean {
  return message.length > FOLDED_CHARACTERS || message.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES;
}

type FrameProps = {
  authorId: string | null;
  name: string;
  isMine: boolean;
  at: string | null;
  message: string;
  attachments: readonly Attachment[];
  rowKey: string;
  note?: ReactNode;
  children?: ReactNode;
};

/** What a person wrote, with who and when. */
export function MessageFrame({ authorId, name, isMine, at, message, attachments, rowKey, note, children }: FrameProps) {
  const { sessionId } = useReading();
  const [isOpen, toggle] = useOpenRow(rowKey);
  const isFoldable = isLong(message);
  return (
    <article aria-label={`Message of ${name}`} className="group/message mb-2 rounded-lg bg-sunken px-3.5 py-2.5">
      <header className="flex items-center gap-2 pb-1">
        <Avatar id={authorId ?? name} name={name} size={20} />
        <span className="truncate text-sm font-semibold">{name}</span>
        {isMine && <span className="text-xs text-faint">you</span>}
        {note}
        <span className="ms-auto flex h-6 items-center gap-1">
          {message !== '' && (
            <CopyButton
              text={message}
              label="Copy the message"
              className="opacity-0 group-hover/message:opacity-100 focus-visible:opacity-100 pointer-coarse:hidden"
              size={13}
            />
          )}
          {at !== null && (
            <time dateTime={at} title={formatFull(at)} className="text-xs text-faint tabular-nums">
              {formatTime(at)}
            </time>
          )}
        </span>
      </header>
      {isFoldable && !isOpen ? (
        <p dir="auto" className="text-read whitespace-pre-wrap wrap-anywhere">
          {beginningOf(message)}…
        </p>
      ) : (
        message !== '' && <LongText text={message} className="text-read" />
      )}
      {isFoldable && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="mt-1 rounded-sm text-sm font-medium text-accent hover:underline"
        >
          {isOpen ? 'Show less' : 'Show all of it'}
        </button>
      )}
      <AttachmentList sessionId={sessionId} attachments={attachments} />
      {children}
    </article>
  );
}

const ACTS = {
  boot: { icon: <Rocket size={14} />, text: 'started the session' },
  compact: { icon: <Minimize2 size={14} />, text: 'compacted the conversation' },
} as const;

export function MessageRow({ rowKey, turn }: { rowKey: string; turn: TurnView }) {
  const { nameOf, myId } = useReading();
  const name = turn.authorName ?? nameOf(turn.authorId);
  if (turn.kind === 'boot' || turn.kind === 'compact') {
    const act = ACTS[turn.kind];
    return (
      <p className="flex items-center gap-2 pb-1 text-sm text-muted">
        <span aria-hidden="true" className="text-faint">
          {act.icon}
        </span>
        {name} {act.text}
        <time dateTime={turn.queuedAt} className="ms-auto text-xs text-faint">
          {formatTime(turn.queuedAt)}
        </time>
      </p>
    );
  }
  return (
    <MessageFrame
      authorId={turn.authorId}
      name={name}
      isMine={turn.authorId === myId}
      at={turn.queuedAt}
      message={turn.message ?? ''}
      attachments={turn.attachments}
      rowKey={rowKey}
      note={
        turn.authorClass === 'agent' && (
          <span title="Sent by a program" className="flex items-center gap-1 text-xs text-faint">
            <Bot size={13} aria-hidden="true" /> agent
          </span>
        )
      }
    >
      {turn.outputSchema !== null && <SchemaNote schema={turn.outputSchema} rowKey={rowKey} />}
    </MessageFrame>
  );
}
