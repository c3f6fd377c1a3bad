import { answerOf, type Api } from '../http/api';
import type { SessionEvent, Turn, TurnStatus } from '../routes';

export type WaitOptions = { signal?: AbortSignal };

const FINAL: ReadonlySet<TurnStatus> = new Set([
  'completed',
  'failed',
  'interrupted',
  'timed_out',
  'cancelled',
  'lost',
]);

/** Whether a turn has its one final state. */
export function isFinal(status: TurnStatus): boolean {
  return FINAL.has(status);
}

/**
 * The turn once its state is final. It follows the session's events instead of asking again and again. Throws
 * `ApiError`, and the signal's reason where that ends it.
 */
export async function waitForTurn(
  api: Api,
  follow: (after: number, signal: AbortSignal) => AsyncGenerator<SessionEvent, void, undefined>,
  { sessionId, turnId, signal = new AbortController().signal }: WaitOptions & { sessionId: string; turnId: string },
): Promise<Turn> {
  const path = { sessionId, turnId };
  const read = () => answerOf(api.GET('/v1/sessions/{sessionId}/turns/{turnId}', { params: { path }, signal }));
  // Read before the turn is: an end that is not in the turn is in the events behind it.
  const session = await answerOf(api.GET('/v1/sessions/{sessionId}', { params: { path: { sessionId } }, signal }));
  const turn = await read();
  if (isFinal(turn.status)) return turn;
  for await (const event of follow(session.lastEventId, signal))
    if (event.kind === 'turn:end' && event.turn === turnId) return read();
  throw signal.reason ?? new Error('The events ended before the turn.');
}
