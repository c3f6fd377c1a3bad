import type { EgressLogEntry } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { EgressLogRow, UserRow } from '../generated/rows';

export type EgressLogCount = {
  projectId: string;
  turnId: string;
  sessionId: string;
  userId: string;
  host: string;
  port: number;
  decision: EgressLogEntry['decision'];
  count: number;
  firstAt: Date;
  lastAt: Date;
};

interface ListedRow extends Pick<EgressLogRow, 'host' | 'port' | 'decision' | 'user_id' | 'first_at' | 'last_at'> {
  user_name: UserRow['name'] | null;
  count: string;
}

/** How long it is kept what a turn reached or tried to. */
const EGRESS_LOG_DAYS = 30;

/** What sandboxes reached and what they were refused, counted per turn. */
export class EgressLogRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Adds to the counts that are there, and lets go of what is too old. All rows are of one project. */
  async add(rows: EgressLogCount[]): Promise<void> {
    const column = <K extends keyof EgressLogCount>(name: K) => rows.map((row) => row[name]);
    await this.database.pool.query(
      `INSERT INTO egress_log (project_id, turn_id, session_id, user_id, host, port, decision, count, first_at, last_at)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[],
         $8::int[], $9::timestamptz[], $10::timestamptz[])
       ON CONFLICT (turn_id, host, port, decision) DO UPDATE SET count = egress_log.count + excluded.count,
         last_at = greatest(egress_log.last_at, excluded.last_at)`,
      [
        column('projectId'),
        column('turnId'),
        column('sessionId'),
        column('userId'),
        column('host'),
        column('port'),
        column('decision'),
        column('count'),
        column('firstAt'),
        column('lastAt'),
      ],
    );
    await this.database.pool.query(
      `DELETE FROM egress_log WHERE project_id = $1 AND last_at < now() - make_interval(days => $2)`,
      [rows[0]?.projectId, EGRESS_LOG_DAYS],
    );
  }

  /** Per person, host, port and decision over all turns of the time that is kept; what happened last comes first. */
  async list(projectId: string, limit: number): Promise<EgressLogEntry[]> {
    const { rows } = await this.database.pool.query<ListedRow>(
      `SELECT l.host, l.port, l.decision, l.user_id, u.name AS user_name, sum(l.count) AS count,
        min(l.first_at) AS first_at, max(l.last_at) AS last_at
       FROM egress_log l LEFT JOIN "user" u ON u.id = l.user_id
       WHERE l.project_id = $1 AND l.last_at >= now() - make_interval(days => $3)
       GROUP BY l.host, l.port, l.decision, l.user_id, u.name
       ORDER BY last_at DESC, l.host, l.port, l.decision, l.user_id LIMIT $2`,
      [projectId, limit, EGRESS_LOG_DAYS],
    );
    return rows.map((row) => ({
      host: row.host,
      port: row.port,
      decision: row.decision,
      user: { userId: row.user_id, name: row.user_name ?? 'someone' },
      count: Number(row.count),
      firstAt: row.first_at.toISOString(),
      lastAt: row.last_at.toISOString(),
    }));
  }
}
