import { hasEnded, type RetryView, type TranscriptItem, type TurnView } from './transcript-state';

/** What a live turn is doing now, for the one line below it. */
export type TurnActivity =
  | { doing: 'queued'; position: number | null; since: string }
  | { doing: 'starting'; since: string }
  | { doing: 'waiting-for-model'; since: string }
  | { doing: 'retrying'; retry: RetryView; since: string }
  | { doing: 'thinking' | 'answering'; since: string }
  | { doing: 'using-tools'; names: string[]; since: string }
  | { doing: 'waiting-for-person'; since: string }
  | { doing: 'finishing'; since: string };

function lastShown(items: readonly TranscriptItem[]): TranscriptItem | null {
  return items.findLast((item) => item.type === 'text' || item.type === 'thinking' || item.type === 'tool') ?? null;
}

/** Null when the turn has ended. */
export function activityOf(turn: TurnView): TurnActivity | null {
  if (hasEnded(turn) || turn.kind === 'system') return null;
  if (turn.status === 'queued') return { doing: 'queued', position: turn.position, since: turn.queuedAt };
  const started = turn.startedAt ?? turn.queuedAt;
  if (turn.status === 'starting') return { doing: 'starting', since: started };
  if (turn.status === 'finishing') return { doing: 'finishing', since: started };
  if (turn.openPermissions.length > 0) return { doing: 'waiting-for-person', since: started };
  if (turn.retry !== null) return { doing: 'retrying', retry: turn.retry, since: turn.retry.at };

  const running = turn.items.filter(
    (item) => item.type === 'tool' && item.parent === null && item.status === 'running',
  );
  if (running.length > 0) {
    const names = running.flatMap((item) => (item.type === 'tool' && item.name !== null ? [item.name] : []));
    return { doing: 'using-tools', names, since: running[0]!.at };
  }
  const last = lastShown(turn.items);
  if (last?.type === 'thinking' && !last.done) return { doing: 'thinking', since: last.at };
  if (last?.type === 'text' && !last.done) return { doing: 'answering', since: last.at };
  if (last?.type === 'tool' && last.status === 'preparing') return { doing: 'answering', since: last.at };
  return { doing: 'waiting-for-model', since: last?.at ?? started };
}
