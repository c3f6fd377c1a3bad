import { isTurnKnown, type TranscriptState } from '@chirality/domain';
import type { OutboxEntry } from '../../lib/message/outbox';

/**
 * The entries to show below the transcript: those of this session whose turn is not in it yet. The event of a turn may
 * arrive before the answer to its request, or without it; a last turn of mine with the same words is
 * then the same message, unless it is known to be another one's (`made`).
 */
export function pendingEntries(
  entries: readonly OutboxEntry[],
  sessionId: string,
  state: TranscriptState,
  myId: string,
  made: ReadonlySet<string>,
): OutboxEntry[] {
  const last = state.turns.findLast((turn) => turn.kind === 'message');
  return entries.filter((entry) => {
    if (entry.sessionId !== sessionId) return false;
    if (entry.turnId !== null) return !isTurnKnown(state, entry.turnId);
    const mayHaveArrived = entry.status === 'sending' || (entry.status === 'waiting' && entry.attempts > 0);
    const isSeen =
      mayHaveArrived &&
      last?.authorId === myId &&
      !made.has(last.id) &&
      last.message === entry.message &&
      Date.parse(last.queuedAt) >= entry.createdAtMs - 5_000;
    return !isSeen;
  });
}
