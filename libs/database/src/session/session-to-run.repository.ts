import type { Database } from '../connection/database';
import { PROJECT_ACCESS } from '../project/project-access.sql';
import { SESSION_TO_RUN_COLUMNS, sessionToRunFromRow, type SessionToRun, type SessionToRunRow } from './session-to-run';

/** Sessions as a turn would find them. */
export class SessionToRunRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * The session as a turn of that person would find it, with the fence of now. Null when it is archived or has a live
   * turn, and when the person may not send one.
   */
  async find(
    sessionId: string,
    userId: string,
    expected: Pick<SessionToRun, 'options' | 'persona'>,
  ): Promise<SessionToRun | null> {
    const { rows } = await this.database.pool.query<SessionToRunRow>({
      name: 'find_session_to_run',
      text: `SELECT c.fence, u.id AS author_id, u.name AS author_name, 'human' AS author_class, $3::text AS options,
        $4::text AS persona, ${SESSION_TO_RUN_COLUMNS}
        FROM session s JOIN project p ON p.id = s.project_id JOIN session_cursor c ON c.session_id = s.id
        JOIN ${PROJECT_ACCESS} access ON access.project_id = s.project_id AND access.user_id = $2
          AND access.role IN ('manage', 'write') JOIN "user" u ON u.id = access.user_id
        WHERE s.id = $1 AND s.archived_at IS NULL AND (s.owner_id = $2 OR s.visibility = 'project')
          AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.active_session_id = s.id)`,
      values: [
        sessionId,
        userId,
        JSON.stringify(expected.options),
        expected.persona && JSON.stringify(expected.persona),
      ],
    });
    return rows[0] ? sessionToRunFromRow(rows[0]) : null;
  }
}
