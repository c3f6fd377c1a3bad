import { changedFilesOf, type TurnView } from '@chirality/domain';
import { FileDiff } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { costHint, costText, isFree } from '../../../lib/format/cost';
import { plural } from '../../../lib/format/count';
import { formatDuration } from '../../../lib/format/duration';
import { answerOfTurn } from './answer-of-turn';
import { costOfTurn } from '../cost-of-turn';
import { errorTitle } from '../error-titles';
import { useReading } from '../reading-context';
import { ChangeCount } from '../../../components/diff/change-count';

const ENDINGS = {
  failed: { tone: 'bad', title: 'The turn failed', by: 'Stopped' },
  timed_out: { tone: 'bad', title: 'The turn was stopped by a time limit', by: 'Stopped' },
  lost: { tone: 'bad', title: 'The worker was lost', by: 'Stopped' },
  interrupted: { tone: 'info', title: 'Stopped', by: 'Stopped' },
  cancelled: { tone: 'info', title: 'Cancelled before it began', by: 'Cancelled before it began' },
} as const;

function Ending({ turn }: { turn: TurnView }) {
  const { writeAgain } = useReading();
  const ending = ENDINGS[turn.status as keyof typeof ENDINGS] as (typeof ENDINGS)[keyof typeof ENDINGS] | undefined;
  if (ending === undefined) return null;
  const isProblem = ending.tone === 'bad';
  const title =
    isProblem && turn.error !== null
      ? errorTitle(turn.error.code)
      : turn.stoppedBy === null
        ? ending.title
        : `${ending.by} by ${turn.stoppedBy.name}`;
  const { message, attachments, outputSchema } = turn;
  return (
    <Callout
      tone={ending.tone}
      title={title}
      className="my-2"
      actions={
        isProblem &&
        writeAgain !== null &&
        turn.kind === 'message' &&
        message !== null && (
          <Button size="small" onClick={() => writeAgain(message, attachments, outputSchema)}>
            Edit & retry
          </Button>
        )
      }
    >
      {turn.error?.detail}
    </Callout>
  );
}

function Changes({ turn }: { turn: TurnView }) {
  const { showChanges } = useReading();
  const { paths, additions, deletions } = changedFilesOf(turn);
  if (paths.length === 0) return null;
  return (
    <button
      type="button"
      disabled={showChanges === null}
      onClick={() => showChanges?.()}
      title={paths.join('\n')}
      className="inline-flex items-center gap-1.5 rounded-md border border-line bg-surface px-2 py-0.5 text-muted transition-colors hover:enabled:border-line-strong hover:enabled:text-text"
    >
      <FileDiff size={13} aria-hidden="true" />
      {plural(paths.length, 'changed file')}
      <ChangeCount additions={additions} deletions={deletions} />
    </button>
  );
}

/** How a turn ended: quietly when it went well, with what to do when it did not. */
export function TurnEndRow({ turn }: { turn: TurnView }) {
  const totalMs =
    turn.timings?.totalMs ?? (turn.endedAt === null ? 0 : Date.parse(turn.endedAt) - Date.parse(turn.queuedAt));
  const answer = answerOfTurn(turn);
  const cost = costOfTurn(turn);
  return (
    <footer className="pt-1">
      <Ending turn={turn} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-faint">
        <Changes turn={turn} />
        {turn.degraded && (
          <Badge tone="warn" title="The process ended without its own summary; this is the text that it had written.">
            incomplete
          </Badge>
        )}
        <span className="tabular-nums">{formatDuration(totalMs)}</span>
        {!isFree(cost) && (
          <span className="tabular-nums" title={costHint(cost)}>
            {turn.costUsd === null ? 'Cost unknown' : costText(cost)}
          </span>
        )}
        {turn.model !== null && turn.status === 'completed' && (
          <span className="truncate">{turn.paidBy === 'demo' ? 'demo model' : turn.model}</span>
        )}
        {answer !== '' && (
          <CopyButton text={answer} label="Copy the answer as markdown" className="-my-1.5 ms-auto" size={13} />
        )}
      </div>
    </footer>
  );
}
