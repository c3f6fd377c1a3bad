import type {
  EventPayload,
  NewEvent,
  Originator,
  Options,
  SessionQueue,
  QueueItem,
  QueuePause,
} from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { QueueItemRow, TurnRow } from '../generated/rows';
import { insertQueueItem, type AddOutcome, type NewQueueItem } from './add-queue-item';
import { publicQueueItem, queueItemFromRow, type StoredQueueItem } from './queue-item-row';
import { queueUpdateEvent, readQueue } from './queue-item.sql';

/** Absent members stay as they are. */
export type QueueItemChange = {
  message?: { text: string; cipher: Buffer };
  options?: Options;
  /** The item that it follows then; null: it is the first. */
  after?: string | null;
};

/** What the next message of a session needs in order to run. */
export type DueQueueItem = { item: StoredQueueItem; activeTurnId: string | null; isInterruptAsked: boolean };

/**
 * Messages that wait for their session's turn to end. Each change is one commit with its `queue:update`. Rows are
 * locked in the order of items, turn, session, cursor, as a turn's acceptance and end lock theirs.
 */
export class QueueItemRepository {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /**
   * Puts a message at the end, or with `urgent` before all others. `idle`: nothing is in its way, so it can be a turn
   * at once. Of any number of calls with one key one is `queued`, the others are `replayed`.
   */
  async add(item: NewQueueItem, maxItems: number): Promise<AddOutcome> {
    let outcome: AddOutcome | undefined;
    await this.write(item.session.id, item.originator, async (tx) => {
      outcome = await insertQueueItem(tx, item, maxItems);
      return outcome.outcome === 'queued';
    });
    return outcome as AddOutcome;
  }

  async list(sessionId: string): Promise<SessionQueue> {
    const { items, paused } = await readQueue(this.database.pool, sessionId);
    return { data: items.map(publicQueueItem), paused };
  }

  /** Null for one of another session, and for one that no longer waits. */
  async find(sessionId: string, id: string): Promise<StoredQueueItem | null> {
    const { rows } = await this.database.pool.query<QueueItemRow>(
      'SELECT * FROM queue_item WHERE id = $1 AND session_id = $2 AND gone_at IS NULL',
      [id, sessionId],
    );
    return rows[0] ? queueItemFromRow(rows[0]) : null;
  }

  /** Null when it no longer waits; `unknown_place` when what it should follow does not. */
  async change(
    sessionId: string,
    id: string,
    { message, options, after }: QueueItemChange,
    originator: Originator,
  ): Promise<QueueItem | 'unknown_place' | null> {
    let changed: QueueItem | 'unknown_place' | null = null;
    await this.write(sessionId, originator, async (tx) => {
      changed = null;
      await lockItems(tx, sessionId);
      const { items } = await readQueue(tx, sessionId);
      if (!items.some((item) => item.id === id)) return false;
      if (after !== undefined) {
        const others = items.map((item) => item.id).filter((other) => other !== id);
        if (after !== null && !others.includes(after)) {
          changed = 'unknown_place';
          return false;
        }
        others.splice(after === null ? 0 : others.indexOf(after) + 1, 0, id);
        await renumber(tx, others);
      }
      const { rows } = await tx.query<QueueItemRow>(
        `UPDATE queue_item SET message = coalesce($2, message), message_cipher = coalesce($3, message_cipher),
           options = coalesce($4, options), version = version + 1 WHERE id = $1 RETURNING *`,
        [
          id,
          message ? JSON.stringify(message.text) : null,
          message?.cipher ?? null,
          options && JSON.stringify(options),
        ],
      );
      changed = publicQueueItem(queueItemFromRow(rows[0] as QueueItemRow));
      return true;
    });
    return changed;
  }

  /** False when it no longer waits. `dropped`: what people read about it, where its author may no longer send it. */
  async remove(
    sessionId: string,
    id: string,
    originator: Originator,
    dropped?: EventPayload<'queue:update'>['dropped'],
  ): Promise<boolean> {
    return this.write(
      sessionId,
      originator,
      async (tx) => {
        const { rowCount } = await tx.query(
          'UPDATE queue_item SET gone_at = now(), message_cipher = NULL WHERE id = $1 AND session_id = $2 AND gone_at IS NULL',
          [id, sessionId],
        );
        return rowCount === 1;
      },
      dropped,
    );
  }

  /** Drops those that wait, or with `ofUser` those of one person, and answers how many. */
  async clear(sessionId: string, originator: Originator, ofUser: string | null = null): Promise<number> {
    let count = 0;
    await this.write(sessionId, originator, async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE queue_item SET gone_at = now(), message_cipher = NULL WHERE session_id = $1 AND gone_at IS NULL
           AND ($2::text IS NULL OR author_id = $2)`,
        [sessionId, ofUser],
      );
      count = rowCount ?? 0;
      return count > 0;
    });
    return count;
  }

  /**
   * Has it run before all others, also while the queue is paused: answers the turn that is to be interrupted for it.
   * Null when it no longer waits.
   */
  async hasten(sessionId: string, id: string, originator: Originator): Promise<{ interruptsId: string | null } | null> {
    let hastened: { interruptsId: string | null } | null = null;
    await this.write(sessionId, originator, async (tx) => {
      hastened = null;
      await lockItems(tx, sessionId);
      const { items } = await readQueue(tx, sessionId);
      if (!items.some((item) => item.id === id)) return false;
      await renumber(tx, [id, ...items.map((item) => item.id).filter((other) => other !== id)]);
      const { rows } = await tx.query<Pick<QueueItemRow, 'interrupts_id'>>(
        `UPDATE queue_item SET urgent = true, version = version + 1,
           interrupts_id = (SELECT t.id FROM turn t WHERE t.active_session_id = $2) WHERE id = $1 RETURNING interrupts_id`,
        [id, sessionId],
      );
      hastened = { interruptsId: rows[0]?.interrupts_id ?? null };
      return true;
    });
    return hastened;
  }

  /** Keeps what waits from running, or has it run again. */
  async setPaused(sessionId: string, paused: QueuePause | null, originator: Originator): Promise<void> {
    await this.write(sessionId, originator, async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE session SET queue_paused = $2, queue_pause_detail = $3 WHERE id = $1
           AND (queue_paused IS DISTINCT FROM $2 OR queue_pause_detail IS DISTINCT FROM $3)`,
        [sessionId, paused?.reason ?? null, paused?.detail ?? null],
      );
      return rowCount === 1;
    });
  }

  /** Pauses the queue for what keeps this message from running, unless it was changed or left meanwhile. */
  async refuse(item: Pick<StoredQueueItem, 'id' | 'sessionId' | 'version'>, detail: string, by: Originator) {
    await this.write(item.sessionId, by, async (tx) => {
      const { rowCount } = await tx.query(
        'UPDATE queue_item SET urgent = false WHERE id = $1 AND version = $2 AND gone_at IS NULL',
        [item.id, item.version],
      );
      if (rowCount !== 1) return false;
      await tx.query("UPDATE session SET queue_paused = 'refused', queue_pause_detail = $2 WHERE id = $1", [
        item.sessionId,
        detail,
      ]);
      return true;
    });
  }

  /** The next message of each session that may run one, or that has one for which its turn is to be interrupted. */
  async listDue(limit: number): Promise<DueQueueItem[]> {
    const { rows } = await this.database.pool.query<
      QueueItemRow & { active_turn_id: TurnRow['id'] | null; is_interrupt_asked: boolean }
    >({
      name: 'due_queue_items',
      text: `SELECT * FROM (
          SELECT DISTINCT ON (q.session_id) q.*, t.id AS active_turn_id,
            t.interrupt_requested_at IS NOT NULL AS is_interrupt_asked
          FROM queue_item q JOIN session s ON s.id = q.session_id JOIN project p ON p.id = s.project_id
            LEFT JOIN turn t ON t.active_session_id = s.id
          WHERE q.gone_at IS NULL AND s.archived_at IS NULL AND s.deleted_at IS NULL AND p.archived_at IS NULL AND p.deleted_at IS NULL
            AND (q.urgent OR s.queue_paused IS NULL)
          ORDER BY q.session_id, q.urgent DESC, q.position, q.id) due
        ORDER BY (active_turn_id IS NOT NULL), created_at LIMIT $1`,
      values: [limit],
    });
    return rows.map((row) => ({
      item: queueItemFromRow(row),
      activeTurnId: row.active_turn_id,
      isInterruptAsked: row.is_interrupt_asked,
    }));
  }

  private async write(
    sessionId: string,
    originator: Originator,
    act: (tx: Tx) => Promise<boolean>,
    dropped?: EventPayload<'queue:update'>['dropped'],
  ): Promise<boolean> {
    const { appended } = await this.log.append({
      sessionId,
      fence: null,
      events: [],
      transition: async (tx): Promise<NewEvent[] | false> =>
        (await act(tx)) && [await queueUpdateEvent(tx, sessionId, originator, dropped)],
    });
    return appended;
  }
}

async function lockItems(tx: Tx, sessionId: string): Promise<void> {
  await tx.query('SELECT 1 FROM queue_item WHERE session_id = $1 AND gone_at IS NULL ORDER BY id FOR UPDATE', [
    sessionId,
  ]);
  await tx.query('SELECT 1 FROM session WHERE id = $1 FOR NO KEY UPDATE', [sessionId]);
}

/** Places are numbers from 1, written again with each move: a queue is short. */
async function renumber(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE queue_item q SET position = place.n FROM unnest($1::text[]) WITH ORDINALITY place (id, n)
     WHERE q.id = place.id AND q.position <> place.n`,
    [ids],
  );
}
