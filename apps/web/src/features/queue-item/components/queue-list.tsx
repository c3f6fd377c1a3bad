import type { QueuePause, SessionQueue } from '@chirality/contracts';
import { CirclePause } from 'lucide-react';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { useQueueAct, type QueueAct } from '../queue-item.api';
import { QueueRow } from './queue-row';

type Props = {
  sessionId: string;
  queue: SessionQueue | null;
  myId: string;
  mayWrite: boolean;
  /** They may remove what others wrote. */
  manages: boolean;
  isTurnActive: boolean;
};

function pauseSentence({ reason, detail }: QueuePause): string {
  if (reason === 'refused') return `The next message cannot be sent: ${detail ?? 'it is not allowed as it is.'}`;
  return reason === 'failed'
    ? 'The last turn failed, so the queue is paused. Send the messages all the same?'
    : 'The turn was stopped, so the queue is paused. Send the messages now?';
}

/** The messages that wait for the turn to end, above the composer. Everyone who reads the session sees the same. */
export function QueueList({ sessionId, queue, myId, mayWrite, manages, isTurnActive }: Props) {
  const acting = useQueueAct(sessionId);
  if (queue === null || queue.data.length === 0) return null;
  const { data, paused } = queue;
  const order = data.map(({ id }) => id);
  const onAct = (act: QueueAct) =>
    acting.mutateAsync(act).then(
      () => true,
      () => false,
    );
  const count = data.length === 1 ? '1 message queued' : `${data.length} messages queued`;
  const isClearable = manages || data.some(({ author }) => author.userId === myId);
  return (
    <section aria-label="Queued messages" className="mb-2 rounded-lg border border-line bg-sunken">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 pt-2">
        <p role="status" className="min-w-0 flex-1 basis-48 text-xs text-muted">
          {paused === null ? (
            isTurnActive ? (
              `${count}. ${data.length === 1 ? 'It is' : 'They are'} sent when the turn has ended.`
            ) : (
              `${count}`
            )
          ) : (
            <>
              <CirclePause size={13} aria-hidden="true" className="me-1 inline text-warn" />
              {count}. {pauseSentence(paused)}
            </>
          )}
        </p>
        {mayWrite && (
          <div className="flex items-center gap-1">
            {paused !== null && (
              <Button
                size="small"
                variant="primary"
                busy={acting.isPending}
                onClick={() => void onAct({ act: 'resume' })}
              >
                Resume
              </Button>
            )}
            {isClearable && (paused !== null || data.length > 1) && (
              <Button
                size="small"
                variant="quiet"
                disabled={acting.isPending}
                onClick={() => void onAct({ act: 'clear' })}
              >
                {manages ? 'Clear' : 'Remove mine'}
              </Button>
            )}
          </div>
        )}
      </div>
      {acting.error !== null && (
        <p role="alert" className="px-3 pt-1 text-xs text-bad">
          <FailureText error={acting.error} />
        </p>
      )}
      <ol className="max-h-44 overflow-y-auto py-1">
        {data.map((item) => (
          <QueueRow
            key={item.id}
            item={item}
            order={order}
            isMine={item.author.userId === myId}
            mayWrite={mayWrite}
            mayRemove={manages || item.author.userId === myId}
            isBusy={acting.isPending}
            onAct={onAct}
          />
        ))}
      </ol>
    </section>
  );
}
