import { Clock, Send } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { Spinner } from '../../components/ui/spinner';
import { errorTitle } from '../../features/transcript/error-titles';
import { MessageFrame } from '../../features/transcript/rows/message-row';
import type { OutboxEntry } from '../../lib/message/outbox';
import { isPast, refusalSentence } from '../../features/composer/refusal-sentence';

type Props = {
  entries: readonly OutboxEntry[];
  /** A turn runs. */ isBusy: boolean;
  /** A turn of another session runs in the files that this one shares. */ isWorkspaceInUse: boolean;
  me: { id: string; name: string };
  onEdit: (entry: OutboxEntry) => void;
  onAgain: (entry: OutboxEntry) => void;
  onDiscard: (entry: OutboxEntry) => void;
};

function State({ entry }: { entry: OutboxEntry }) {
  if (entry.status === 'waiting' && entry.attempts > 0) {
    return (
      <p className="flex items-center gap-1.5 pt-1 text-xs text-warn">
        <Clock size={12} aria-hidden="true" /> Not sent yet; it goes out as soon as the server can be reached
        {!entry.isKept && '. Keep this page open until then: your browser has no room to keep the message'}
      </p>
    );
  }
  if (entry.status !== 'sending' || entry.attempts <= 1) return null;
  return (
    <p className="pt-1 text-xs text-muted">
      <Spinner size={11} label="Sending again…" />
    </p>
  );
}

/** Messages that are on their way, shown where they will be; and those that were refused, with what can be done. */
export function PendingMessages({
  entries,
  isBusy: isRunning,
  isWorkspaceInUse,
  me,
  onEdit,
  onAgain,
  onDiscard,
}: Props) {
  return entries.map((entry) => {
    const isBusy = entry.refusal?.code === 'WORKSPACE_IN_USE' ? isWorkspaceInUse : isRunning;
    return (
      <div key={entry.key} className="not-first:pt-6">
        <MessageFrame
          authorId={me.id}
          name={me.name}
          isMine
          at={null}
          message={entry.message}
          attachments={entry.attachments}
          rowKey={`outbox/${entry.key}`}
          note={entry.status === 'sending' && <Send size={12} aria-label="Sending" className="text-faint" />}
        >
          <State entry={entry} />
        </MessageFrame>
        {entry.status === 'refused' && entry.refusal !== null && (
          <Callout
            tone={isPast(entry.refusal, isBusy) ? 'info' : 'bad'}
            role="alert"
            title={isPast(entry.refusal, isBusy) ? 'Not sent yet' : errorTitle(entry.refusal.code)}
            className="mt-2"
            actions={
              <>
                <Button size="small" onClick={() => onAgain(entry)}>
                  Send again
                </Button>
                <Button size="small" variant="quiet" onClick={() => onEdit(entry)}>
                  Edit
                </Button>
                <Button size="small" variant="quiet" onClick={() => onDiscard(entry)}>
                  Discard
                </Button>
              </>
            }
          >
            {refusalSentence(entry.refusal, isBusy)}
          </Callout>
        )}
      </div>
    );
  });
}
