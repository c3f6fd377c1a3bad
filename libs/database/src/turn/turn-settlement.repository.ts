import { SYSTEM, type NewEvent, type Originator, type Timings, type Turn } from '@chirality/contracts';
import type { TurnCause } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import type { AppendItem, AppendResult } from '../event/append-item';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow, UserRow } from '../generated/rows';
import { closePermissions } from '../permission/open-permission';
import { QUEUE_PAUSED_BY_END, queuePausedEvent } from '../queue-item/queue-item.sql';
import { applyTransition, type TransitionRequest } from './apply-transition';
import { TURN_COLUMNS, turnFromRow, type PlacedTurnRow } from './turn-row';

type FinalCause = Extract<TurnCause, 'succeed' | 'fail' | 'interrupt' | 'time_out' | 'cancel' | 'lose_worker'>;

interface Settlement extends Omit<TransitionRequest, 'cause'> {
  sessionId: string;
  cause: FinalCause;
  /**
   * Whether the log's fence is checked too: yes for the turn's own worker, no for a process that settles in its place.
   */
  fenced: boolean;
  /** Written before the end: what is left of the turn, and `process:exit` where the process is gone. */
  events?: NewEvent[];
  /** Whose act the end is; by default it is said as every event of the turn, in the name of who began it. */
  originator?: Originator;
  /** More that belongs into the same transaction, such as the session's new conversation. */
  also?: (tx: Tx) => Promise<void>;
}

const NO_TIMINGS: Timings = {
  queueMs: null,
  sandboxMs: null,
  spawnMs: null,
  initMs: null,
  firstTokenMs: null,
  tools: [],
  persistMs: null,
  totalMs: null,
};

/** The session has changed, and the turn is read with the sums of its usage. */
const TOUCH_SQL = `UPDATE session s SET updated_at = now(), queue_paused = ${QUEUE_PAUSED_BY_END},
  queue_pause_detail = CASE WHEN t.status = 'completed' THEN s.queue_pause_detail END FROM turn t WHERE t.id = $1 AND s.id = t.session_id
  RETURNING ${TURN_COLUMNS}, t.originator, t.interrupted_by_id,
  (SELECT u.name FROM "user" u WHERE u.id = t.interrupted_by_id) AS interrupted_by_name`;

type EndedRow = PlacedTurnRow &
  Pick<TurnRow, 'interrupted_by_id' | 'originator'> & { interrupted_by_name: UserRow['name'] | null };

const BROKEN = {
  code: 'HARNESS_FAILURE' as const,
  detail:
    'Running this turn broke off inside the worker. What it had written is kept and nothing is run again; send a message to continue.',
};

/** How a turn ends. */
export class TurnSettlementRepository {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /**
   * Gives the turn its one final state and writes `turn:end`, the last event of the turn, in the same commit; open
   * permissions end before it, and the session's fence rises after it, so that nothing fenced can follow. Refused
   * (`transition_refused`) when the turn is not in the state that the caller believes.
   */
  settle(settlement: Settlement): Promise<AppendResult> {
    const { sessionId, turnId, fence, fenced, events = [], originator, also } = settlement;
    const item: AppendItem = {
      sessionId,
      fence: fenced ? fence : null,
      events: [],
      raisesFence: true,
      transition: async (tx) => {
        // Sent together: what follows a change that is refused goes with it when the transaction is rolled back.
        const [applied, , permissions, { rows }] = await sentTogether([
          applyTransition(tx, settlement),
          also?.(tx),
          closePermissions(tx, turnId, { outcome: 'run_ended' }),
          tx.query<EndedRow>({ name: 'touch_session_of_turn', text: TOUCH_SQL, values: [turnId] }),
        ]);
        if (!applied) return false;
        const begunBy = begunByOf(rows[0] as EndedRow);
        const end: NewEvent = {
          kind: 'turn:end',
          turn: turnId,
          originator: originator ?? begunBy,
          payload: { ...endPayload(turnFromRow(rows[0] as PlacedTurnRow)), ...stoppedBy(rows[0] as EndedRow) },
        };
        const before = [...permissions, ...events].map((event) =>
          event.turn === turnId && 'system' in event.originator ? { ...event, originator: begunBy } : event,
        );
        const { status } = rows[0] as EndedRow;
        // What waits is looked for by a statement that begins after the session is locked, so that none is missed.
        const paused = status === 'completed' ? null : await queuePausedEvent(tx, sessionId, SYSTEM);
        return [...before, ...(paused ? [paused] : []), end];
      },
    };
    return this.log.append(item);
  }

  /**
   * Ends a live turn of that worker whose execution broke off, as failed, whatever state and attempt it had come to.
   * False when it is not live or no longer that worker's: then there is nothing to end. Rejects when Postgres does not
   * answer.
   */
  async failBroken({ turnId, workerId }: { turnId: string; workerId: string }): Promise<boolean> {
    const { rows } = await this.database.pool.query<Pick<TurnRow, 'session_id' | 'attempt' | 'fence'>>(
      'SELECT session_id, attempt, fence FROM turn WHERE id = $1 AND worker_id = $2 AND active_session_id IS NOT NULL',
      [turnId, workerId],
    );
    const row = rows[0];
    if (!row) return false;
    const error: NewEvent = {
      kind: 'session:error',
      turn: turnId,
      originator: SYSTEM,
      payload: { ...BROKEN, retryable: true },
    };
    const exit: NewEvent = {
      kind: 'process:exit',
      turn: turnId,
      originator: SYSTEM,
      payload: { code: null, signal: null, attempt: row.attempt, final: true },
    };
    const result = await this.settle({
      sessionId: row.session_id,
      turnId,
      cause: 'fail',
      attempt: row.attempt,
      fence: BigInt(row.fence),
      fenced: true,
      set: { error: BROKEN },
      events: [error, exit],
    });
    return result.appended;
  }
}

function begunByOf({ originator }: EndedRow): Originator {
  return originator === null ? SYSTEM : (JSON.parse(originator) as Originator);
}

/** Who stopped it, where a person did: an end that they asked for and that came otherwise is not theirs. */
function stoppedBy({ status, interrupted_by_id: userId, interrupted_by_name: name }: EndedRow) {
  return (status === 'interrupted' || status === 'cancelled') && userId !== null && name !== null
    ? { by: { userId, name } }
    : {};
}

function endPayload(turn: Turn) {
  const timings = turn.timings ?? {
    ...NO_TIMINGS,
    totalMs: turn.endedAt ? Date.parse(turn.endedAt) - Date.parse(turn.queuedAt) : null,
  };
  const unpriced = turn.unpricedMessages > 0 ? { unpricedMessages: turn.unpricedMessages } : {};
  const estimated = turn.estimated ? { estimated: true } : {};
  return {
    status: turn.status,
    ...(turn.error ? { error: turn.error } : {}),
    costUsd: turn.costUsd,
    ...unpriced,
    ...estimated,
    usage: turn.usage,
    timings,
  };
}
