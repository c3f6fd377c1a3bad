import type { EventPayload, NewEvent, Originator, QueuePause } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import type { QueueItemRow, SessionRow } from '../generated/rows';
import { queueItemFromRow, type StoredQueueItem } from './queue-item-row';

/** Of a message, as much as events say of it; `GET …/queue` has all of it. */
const PREVIEW_LENGTH = 500;

type PauseRow = Pick<SessionRow, 'queue_paused' | 'queue_pause_detail'>;

/** The messages that wait in a session in the order in which they run, and why they do not run. */
export async function readQueue(
  tx: Tx,
  sessionId: string,
): Promise<{ items: StoredQueueItem[]; paused: QueuePause | null }> {
  const { rows } = await tx.query<QueueItemRow>(
    'SELECT * FROM queue_item WHERE session_id = $1 AND gone_at IS NULL ORDER BY urgent DESC, position, id',
    [sessionId],
  );
  if (rows.length === 0) return { items: [], paused: null };
  const { rows: sessions } = await tx.query<PauseRow>(
    'SELECT queue_paused, queue_pause_detail FROM session WHERE id = $1',
    [sessionId],
  );
  const reason = sessions[0]?.queue_paused ?? null;
  const paused = reason === null ? null : { reason, detail: sessions[0]?.queue_pause_detail ?? null };
  return { items: rows.map(queueItemFromRow), paused };
}

/** The event that says what waits as of now in that transaction. */
export async function queueUpdateEvent(
  tx: Tx,
  sessionId: string,
  originator: Originator,
  dropped?: EventPayload<'queue:update'>['dropped'],
): Promise<NewEvent> {
  const { items, paused } = await readQueue(tx, sessionId);
  const shown = items.map(({ id, author: { userId, name }, message, at }) => ({
    id,
    author: { userId, name },
    message: message.slice(0, PREVIEW_LENGTH).toWellFormed(),
    at,
  }));
  return {
    kind: 'queue:update',
    turn: null,
    originator,
    payload: { items: shown, paused, ...(dropped === undefined ? {} : { dropped }) },
  };
}

/** After a turn that did not complete: what waits, if anything does, is paused now. */
export async function queuePausedEvent(tx: Tx, sessionId: string, originator: Originator): Promise<NewEvent | null> {
  const { rows } = await tx.query('SELECT 1 FROM queue_item WHERE session_id = $1 AND gone_at IS NULL LIMIT 1', [
    sessionId,
  ]);
  return rows.length === 0 ? null : queueUpdateEvent(tx, sessionId, originator);
}

/**
 * What becomes of the queue of session `s` with the end of turn `t`: it waits for people where one stopped the turn, or
 * the turn failed. Not where the turn was interrupted for a message of the queue, and not where it never ran because
 * its author lost the right to it.
 */
export const QUEUE_PAUSED_BY_END = `CASE
  WHEN t.status = 'completed' OR (t.status = 'cancelled' AND t.interrupted_by_id IS NULL)
    OR (t.status IN ('interrupted', 'cancelled') AND EXISTS (SELECT 1 FROM queue_item q WHERE q.session_id = s.id
      AND q.gone_at IS NULL AND q.interrupts_id = t.id)) THEN s.queue_paused
  WHEN t.status IN ('interrupted', 'cancelled') AND t.interrupted_by_id IS NOT NULL THEN 'stopped' ELSE 'failed' END`;

/** Whether the session whose id is `$2` has a message that runs before any other may be accepted. */
export const QUEUE_COMES_FIRST = `EXISTS (SELECT 1 FROM queue_item w JOIN session ws ON ws.id = w.session_id
  WHERE w.session_id = $2 AND w.gone_at IS NULL AND (w.urgent OR ws.queue_paused IS NULL))`;
