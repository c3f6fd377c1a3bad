import { SCHEDULE_FAILURES, type ScheduleRun } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ScheduleRow, ScheduleRunRow, UserRow } from '../generated/rows';

/** A schedule as it is stored; what follows from its expression is the api's to say. */
export interface StoredSchedule {
  id: string;
  teamId: string;
  projectId: string;
  name: string;
  persona: string | null;
  message: string;
  cron: string | null;
  timezone: string;
  sessionId: string | null;
  budgetUsd: string | null;
  owner: { userId: string; name: string; isServiceAccount: boolean };
  /** No one answers for the service account that it runs as. */
  isSuspended: boolean;
  createdAt: Date;
  pausedBecause: 'person' | 'failures' | null;
  failures: number;
  nextAt: Date | null;
  triggerGeneration: number;
  lastRun: ScheduleRun | null;
}

type NewSchedule = Pick<
  StoredSchedule,
  'teamId' | 'projectId' | 'name' | 'persona' | 'message' | 'cron' | 'timezone' | 'sessionId' | 'budgetUsd' | 'nextAt'
> & { ownerId: string };

/** What a person may change, with what follows from it. */
export type ScheduleChanges = Partial<
  Pick<
    StoredSchedule,
    | 'name'
    | 'persona'
    | 'message'
    | 'cron'
    | 'timezone'
    | 'sessionId'
    | 'budgetUsd'
    | 'nextAt'
    | 'pausedBecause'
    | 'failures'
  >
>;

/** A run that has come to an end, and what became of its schedule. */
export interface EndedRun {
  scheduleId: string;
  isPaused: boolean;
}

type ShownRow = ScheduleRow & {
  owner_name: UserRow['name'];
  is_service: UserRow['is_service'];
  is_suspended: boolean;
  last_run: (Omit<ScheduleRunRow, 'planned_at'> & { planned_at: string }) | null;
};

const SHOWN_SQL = `SELECT s.*, u.name AS owner_name, u.is_service, u.is_service AND sa.owner_id IS NULL AS is_suspended,
    (SELECT to_json(r) FROM schedule_run r WHERE r.schedule_id = s.id ORDER BY r.planned_at DESC, r.id DESC LIMIT 1)
      AS last_run
  FROM schedule s JOIN "user" u ON u.id = s.owner_id LEFT JOIN service_account sa ON sa.user_id = s.owner_id`;
/** A server that claimed a run and then stopped has not started it after this. */
const ABANDONED_AFTER = "interval '5 minutes'";
const KEPT_RUNS = 200;

const COLUMNS: Record<keyof ScheduleChanges, string> = {
  name: 'name',
  persona: 'persona',
  message: 'message',
  cron: 'cron',
  timezone: 'timezone',
  sessionId: 'session_id',
  budgetUsd: 'budget_usd',
  nextAt: 'next_at',
  pausedBecause: 'paused_because',
  failures: 'failures',
};

/** What is sent at given times, or when a trigger is called. Each run is a row before anything is started. */
export class ScheduleRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async create(schedule: NewSchedule): Promise<string> {
    const id = newId('schedule');
    await this.database.pool.query(
      `INSERT INTO schedule (id, team_id, project_id, owner_id, name, persona, message, cron, timezone, session_id,
         budget_usd, next_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        id,
        schedule.teamId,
        schedule.projectId,
        schedule.ownerId,
        storableText(schedule.name),
        schedule.persona,
        storableText(schedule.message),
        schedule.cron,
        schedule.timezone,
        schedule.sessionId,
        schedule.budgetUsd,
        schedule.nextAt,
      ],
    );
    return id;
  }

  async find(id: string): Promise<StoredSchedule | null> {
    const { rows } = await this.database.pool.query<ShownRow>(`${SHOWN_SQL} WHERE s.id = $1`, [id]);
    return rows[0] ? scheduleFromRow(rows[0]) : null;
  }

  /** Oldest first. */
  async list(projectId: string): Promise<StoredSchedule[]> {
    const { rows } = await this.database.pool.query<ShownRow>(
      `${SHOWN_SQL} WHERE s.project_id = $1 ORDER BY s.created_at, s.id`,
      [projectId],
    );
    return rows.map(scheduleFromRow);
  }

  async update(id: string, changes: ScheduleChanges): Promise<void> {
    const named = Object.entries(changes) as [keyof ScheduleChanges, unknown][];
    if (named.length === 0) return;
    await this.database.pool.query(
      `UPDATE schedule SET ${named.map(([key], index) => `${COLUMNS[key]} = $${index + 2}`).join(', ')} WHERE id = $1`,
      [id, ...named.map(([, value]) => (typeof value === 'string' ? storableText(value) : value))],
    );
  }

  /** With its runs; their sessions stay. */
  async remove(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM schedule WHERE id = $1', [id]);
  }

  /**
   * The generation of its trigger's new secret, for that member; the earlier one is worth nothing from then on. Null
   * where they are no member who may by now: the lock orders it and their removal.
   */
  async renewTrigger(id: string, userId: string): Promise<number | null> {
    const { rows } = await this.database.pool.query<Pick<ScheduleRow, 'trigger_generation'>>(
      `WITH maker AS (
         SELECT m.user_id FROM membership m JOIN schedule s ON s.team_id = m.team_id
         WHERE s.id = $1 AND m.user_id = $2 AND m.role <> 'viewer' FOR SHARE OF m
       )
       UPDATE schedule SET trigger_generation = trigger_generation + 1, trigger_made_by_id = maker.user_id
       FROM maker WHERE id = $1 RETURNING trigger_generation`,
      [id, userId],
    );
    return rows[0]?.trigger_generation ?? null;
  }

  async listDue(limit: number): Promise<StoredSchedule[]> {
    const { rows } = await this.database.pool.query<ShownRow>(
      `${SHOWN_SQL} WHERE s.next_at <= now() AND s.paused_because IS NULL ORDER BY s.next_at, s.id LIMIT $1`,
      [limit],
    );
    return rows.map(scheduleFromRow);
  }

  /**
   * Moves a schedule that is due to its next time and records what was due until then: as missed, but for the last one
   * where `runs`, which is the caller's to start. Null where another server did so, or the schedule was changed.
   */
  claim(
    schedule: { id: string; nextAt: Date },
    { missed, run, nextAt }: { missed: readonly Date[]; run: Date | null; nextAt: Date | null },
  ): Promise<{ runId: string | null } | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const moved = await tx.query(
        'UPDATE schedule SET next_at = $3 WHERE id = $1 AND next_at = $2 AND paused_because IS NULL',
        [schedule.id, schedule.nextAt, nextAt],
      );
      if (moved.rowCount === 0) return null;
      for (const at of missed) await insertRun(tx, schedule.id, 'time', at.toISOString(), 'missed', at);
      if (run === null) return { runId: null };
      return { runId: await insertRun(tx, schedule.id, 'time', run.toISOString(), 'starting', run) };
    });
  }

  /** A separate run; null where one of that `slot` was there before. */
  async addRun(scheduleId: string, cause: 'person' | 'trigger', slot: string): Promise<string | null> {
    return insertRun(this.database.pool, scheduleId, cause, slot, 'starting', new Date());
  }

  async noteStarted(runId: string, sessionId: string, turnId: string): Promise<void> {
    await this.database.pool.query(
      "UPDATE schedule_run SET state = 'running', session_id = $2, turn_id = $3 WHERE id = $1 AND state = 'starting'",
      [runId, sessionId, turnId],
    );
  }

  /** `counts`: it is a failure of the schedule, which is paused with the third. */
  noteRefused(runId: string, detail: string, counts: boolean): Promise<EndedRun | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<ScheduleRunRow, 'schedule_id'>>(
        `UPDATE schedule_run SET state = 'refused', detail = $2 WHERE id = $1 AND state = 'starting'
         RETURNING schedule_id`,
        [runId, storableText(detail).slice(0, 500)],
      );
      return rows[0] ? endedRun(tx, rows[0].schedule_id, counts ? 'failed' : 'neither') : null;
    });
  }

  /** Runs whose turns have ended, and those that a server stopped over, each once. */
  settle(): Promise<EndedRun[]> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<ScheduleRunRow, 'schedule_id' | 'state'> & { status: string | null }>(
        `WITH ended AS (
           SELECT r.id, t.status, t.error_code FROM schedule_run r JOIN turn t ON t.id = r.turn_id
           WHERE r.state = 'running' AND t.ended_at IS NOT NULL LIMIT 100 FOR UPDATE OF r SKIP LOCKED
         ), abandoned AS (
           SELECT r.id, NULL AS status, NULL AS error_code FROM schedule_run r
           WHERE r.state = 'starting' AND r.created_at < now() - ${ABANDONED_AFTER} LIMIT 100 FOR UPDATE SKIP LOCKED
         )
         UPDATE schedule_run r SET state = CASE WHEN e.status IN ('completed', 'interrupted', 'cancelled') THEN 'done'
             WHEN e.status IS NULL THEN 'refused' ELSE 'failed' END,
           detail = CASE WHEN e.status IS NULL THEN 'The server stopped while it was being started.' ELSE e.error_code END
         FROM (SELECT * FROM ended UNION ALL SELECT * FROM abandoned) e WHERE r.id = e.id
         RETURNING r.schedule_id, r.state, e.status`,
      );
      const ended: EndedRun[] = [];
      for (const { schedule_id: id, state, status } of rows) {
        const became = state === 'failed' ? 'failed' : status === 'completed' ? 'done' : 'neither';
        ended.push(await endedRun(tx, id, became));
      }
      return ended;
    });
  }

  /** Latest first. */
  async listRuns(scheduleId: string): Promise<ScheduleRun[]> {
    const { rows } = await this.database.pool.query<ScheduleRunRow>(
      'SELECT * FROM schedule_run WHERE schedule_id = $1 ORDER BY planned_at DESC, id DESC LIMIT 100',
      [scheduleId],
    );
    return rows.map(runFromRow);
  }
}

async function insertRun(
  tx: Tx,
  scheduleId: string,
  cause: ScheduleRun['cause'],
  slot: string,
  state: 'starting' | 'missed',
  plannedAt: Date,
): Promise<string | null> {
  const id = newId('scheduleRun');
  const { rowCount } = await tx.query(
    `INSERT INTO schedule_run (id, schedule_id, cause, slot, state, planned_at)
     SELECT $1, s.id, $3, $4, $5, $6 FROM schedule s WHERE s.id = $2 ON CONFLICT (schedule_id, slot) DO NOTHING`,
    [id, scheduleId, cause, `${cause}:${slot}`, state, plannedAt],
  );
  if (rowCount === 0) return null;
  await tx.query(
    `DELETE FROM schedule_run WHERE schedule_id = $1 AND state NOT IN ('starting', 'running')
       AND created_at < now() - interval '1 day' AND id IN (
       SELECT id FROM schedule_run WHERE schedule_id = $1 ORDER BY planned_at DESC OFFSET $2)`,
    [scheduleId, KEPT_RUNS],
  );
  return id;
}

async function endedRun(tx: Tx, scheduleId: string, became: 'done' | 'failed' | 'neither'): Promise<EndedRun> {
  if (became === 'neither') return { scheduleId, isPaused: false };
  const { rows } = await tx.query<Pick<ScheduleRow, 'paused_because'>>(
    `UPDATE schedule SET failures = CASE WHEN $2 THEN failures + 1 ELSE 0 END,
       next_at = CASE WHEN $2 AND failures + 1 >= $3 THEN NULL ELSE next_at END,
       paused_because = CASE WHEN $2 AND failures + 1 >= $3 THEN 'failures' ELSE paused_because END
     WHERE id = $1 AND paused_because IS NULL RETURNING paused_because`,
    [scheduleId, became === 'failed', SCHEDULE_FAILURES],
  );
  return { scheduleId, isPaused: rows[0]?.paused_because === 'failures' };
}

function runFromRow(row: Omit<ScheduleRunRow, 'planned_at'> & { planned_at: Date | string }): ScheduleRun {
  return {
    id: row.id,
    cause: row.cause,
    plannedAt: new Date(row.planned_at).toISOString(),
    state: row.state,
    sessionId: row.session_id,
    turnId: row.turn_id,
    detail: row.detail,
  };
}

function scheduleFromRow(row: ShownRow): StoredSchedule {
  return {
    id: row.id,
    teamId: row.team_id,
    projectId: row.project_id,
    name: row.name,
    persona: row.persona,
    message: row.message,
    cron: row.cron,
    timezone: row.timezone,
    sessionId: row.session_id,
    budgetUsd: row.budget_usd,
    owner: { userId: row.owner_id, name: row.owner_name, isServiceAccount: row.is_service },
    isSuspended: row.is_suspended,
    createdAt: row.created_at,
    pausedBecause: row.paused_because,
    failures: row.failures,
    nextAt: row.next_at,
    triggerGeneration: row.trigger_generation,
    lastRun: row.last_run && runFromRow(row.last_run),
  };
}
