import { activityOf, type TurnActivity, type TurnView } from '@chirality/domain';
import { Spinner } from '../../../components/ui/spinner';
import { formatElapsed } from '../../../lib/format/duration';
import { useNow } from '../../../lib/state/use-now';

/** Before this a wait is not worth a number. */
const QUIET_MS = 2_000;

function retrySentence({ retry }: Extract<TurnActivity, { doing: 'retrying' }>, now: number): string {
  const leftMs = Date.parse(retry.at) + retry.delayMs - now;
  const why =
    retry.status === 529 || retry.status === 503
      ? 'is overloaded'
      : retry.status === 429
        ? 'answered that its rate limit is reached'
        : retry.status === null
          ? 'cannot be reached'
          : `answered ${retry.status}`;
  const when = leftMs > 1_000 ? `trying again in ${formatElapsed(leftMs)}` : 'trying again';
  return `The model’s service ${why}; ${when} (${retry.attempt} of ${retry.maxRetries})`;
}

function sentence(activity: TurnActivity, now: number): string {
  switch (activity.doing) {
    case 'queued':
      return activity.position === null
        ? 'Queued'
        : activity.position === 1
          ? 'Queued, next in line'
          : `Queued, place ${activity.position}`;
    case 'starting':
      return 'Starting Claude';
    case 'waiting-for-model':
      return 'Waiting for the model';
    case 'retrying':
      return retrySentence(activity, now);
    case 'thinking':
      return 'Thinking';
    case 'answering':
      return 'Writing';
    case 'using-tools':
      return activity.names.length > 1
        ? `Using ${activity.names.length} tools`
        : `Using ${activity.names[0] ?? 'a tool'}`;
    case 'waiting-for-person':
      return 'Waiting for an answer below';
    case 'finishing':
      return 'Finishing';
  }
}

/** What a live turn is doing, below what it has said so far. */
export function ActivityRow({ turn }: { turn: TurnView }) {
  const now = useNow();
  const activity = activityOf(turn);
  if (activity === null) return null;
  const ms = now - Date.parse(activity.since);
  return (
    <p className="flex min-h-9 items-center gap-2.5 px-2 py-2 text-sm text-muted">
      <span className={activity.doing === 'waiting-for-person' ? 'text-warn' : 'text-accent'}>
        <Spinner size={13} />
      </span>
      <span>{sentence(activity, now)}</span>
      {ms >= QUIET_MS && activity.doing !== 'retrying' && (
        <span className="text-faint tabular-nums">{formatElapsed(ms)}</span>
      )}
    </p>
  );
}
