import type { SessionStatus } from '@chirality/contracts';
import { classNames } from '../../../components/class-names';

/** A session's state where there is room for a dot only; idle sessions have none. */
export function SessionDot({ status }: { status: SessionStatus }) {
  if (status !== 'running' && status !== 'waiting') return null;
  const isWaiting = status === 'waiting';
  const label = isWaiting ? 'Waiting for an answer' : 'Running';
  return (
    <span title={label} className="flex size-4 shrink-0 items-center justify-center">
      <span className={classNames('size-2 rounded-full', isWaiting ? 'bg-warn' : 'animate-breathe bg-accent')} />
      <span className="sr-only">{label}</span>
    </span>
  );
}
