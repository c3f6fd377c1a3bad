import { DELETED_KEPT_DAYS, type Deletion } from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import { inTransaction } from '../connection/transaction';

/** What is to be purged or emptied. */
export type Purged = { kind: Deletion['kind']; id: string; teamId: string };

/** Made for a first message that did not come within a day: its page was closed, or its files did not arrive. */
const IS_FORSAKEN = "awaits_message_since < now() - interval '1 day' AND purged_at IS NULL";

/** What a session's row is left with: who pays and who worked stays in usage and audit, its words do not. */
const HUSK = `purged_at = now(), deleted_at = coalesce(deleted_at, now()), archived_at = coalesce(archived_at, now()),
  title = 'Deleted session', persona = NULL, options = '{}', claude_session_id = NULL, unpushed = NULL, base_notice = NULL`;
/** Rows that hold what was said and done in a session. Turns come last, when what they name in the store is gone. */
const SESSION_TABLES = [
  'event',
  // First, because who fills the search holds it.
  'search_backlog',
  'search_text',
  'permission',
  'session_rule',
  'tool_call',
  'mcp_call',
  'mcp_subscription',
  'diff_comment',
  'queue_item',
  'idempotency_key',
  'pull_request',
  'session_push',
  'parked_process',
  'attachment',
  'egress_log',
  'shared_workspace_act',
  'schedule_run',
  'schedule',
] as const;
const PROJECT_TABLES = [
  'project_member',
  'project_rule',
  'project_variable',
  'schedule',
  'project_persona_scan',
  'persona_approval',
  'git_webhook',
  'egress_log',
] as const;

/**
 * Ends what was deleted for good, in two steps that each happen whole: in one commit it can no longer be restored and
 * its rows are gone; then, as often as it takes, what it has in the blob store. Usage and audit stay.
 */
export class PurgeRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** What was deleted so long ago that it is to go, and sessions whose first message never came, the oldest first. */
  async listExpired(limit: number): Promise<Purged[]> {
    return this.list(
      `SELECT 'session' AS kind, id, team_id, deleted_at FROM session WHERE deleted_at < now() - $2 * interval '1 day'
         AND emptied_at IS NULL AND purged_at IS NULL
       UNION ALL SELECT 'session', id, team_id, awaits_message_since FROM session
         WHERE ${IS_FORSAKEN} AND deleted_at IS NULL
       UNION ALL SELECT 'project', id, team_id, deleted_at FROM project WHERE deleted_at < now() - $2 * interval '1 day'
         AND emptied_at IS NULL AND purged_at IS NULL ORDER BY deleted_at LIMIT $1`,
      [limit, DELETED_KEPT_DAYS],
    );
  }

  /** What is purged and still has something in the blob store, projects last: their sessions first. */
  async listToEmpty(limit: number): Promise<Purged[]> {
    return this.list(
      `SELECT 'session' AS kind, id, team_id, purged_at FROM session WHERE deleted_at IS NOT NULL AND emptied_at IS NULL
         AND purged_at IS NOT NULL
       UNION ALL SELECT 'project', id, team_id, purged_at FROM project WHERE deleted_at IS NOT NULL
         AND emptied_at IS NULL AND purged_at IS NOT NULL ORDER BY kind DESC, purged_at LIMIT $1`,
      [limit],
    );
  }

  /** False: it was restored, or purged before. */
  async purge({ kind, id }: Pick<Purged, 'kind' | 'id'>): Promise<boolean> {
    return inTransaction(this.database.pool, (tx) =>
      kind === 'session' ? this.purgeSession(tx, id) : this.purgeProject(tx, id),
    );
  }

  /** The turns of a purged session, by which its logs, prompts and results lie in the blob store. */
  async listTurns(sessionId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ id: string }>('SELECT id FROM turn WHERE session_id = $1', [
      sessionId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** The blob store has nothing of it any longer. */
  async completeEmptying({ kind, id }: Pick<Purged, 'kind' | 'id'>): Promise<void> {
    await inTransaction(this.database.pool, async (tx) => {
      if (kind === 'session') await tx.query('DELETE FROM turn WHERE session_id = $1', [id]);
      await tx.query(`UPDATE ${kind} SET emptied_at = now() WHERE id = $1 AND purged_at IS NOT NULL`, [id]);
    });
  }

  /** The workspaces of a project that sessions shared: they are gone with the project, never with a session. */
  async listSharedWorkspaces(projectId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      'SELECT id FROM shared_workspace WHERE project_id = $1',
      [projectId],
    );
    return rows.map(({ id }) => id);
  }

  /** Which of these sessions, shared workspaces and projects are purged: a worker may still have a copy of them. */
  async listPurged(ids: readonly string[]): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      `SELECT id FROM session WHERE id = ANY($1) AND purged_at IS NOT NULL
       UNION ALL SELECT id FROM project WHERE id = ANY($1) AND purged_at IS NOT NULL
       UNION ALL SELECT w.id FROM shared_workspace w JOIN project p ON p.id = w.project_id
         WHERE w.id = ANY($1) AND p.purged_at IS NOT NULL`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  private async purgeSession(tx: Tx, id: string): Promise<boolean> {
    const { rowCount } = await tx.query(
      `UPDATE session SET ${HUSK} WHERE id = $1 AND purged_at IS NULL
         AND (deleted_at IS NOT NULL OR (${IS_FORSAKEN}))`,
      [id],
    );
    if (rowCount !== 1) return false;
    await this.deleteRows(tx, [id]);
    return true;
  }

  private async purgeProject(tx: Tx, id: string): Promise<boolean> {
    const { rowCount } = await tx.query(
      `UPDATE project SET purged_at = now(), name = 'Deleted project', source = '{"kind":"empty"}', bundle_key = NULL,
         replaced_bundle_key = NULL, source_upload_key = NULL, egress_hosts = '{}', setup_script = NULL, options = '{}',
         refresh_note = NULL, refresh_error = NULL, source_error = NULL, source_report = NULL,
         remote_commit = NULL, remote_behind = NULL, remote_seen_at = NULL
       WHERE id = $1 AND deleted_at IS NOT NULL AND purged_at IS NULL`,
      [id],
    );
    if (rowCount !== 1) return false;
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE session SET ${HUSK} WHERE project_id = $1 AND purged_at IS NULL RETURNING id`,
      [id],
    );
    await this.deleteRows(
      tx,
      rows.map((row) => row.id),
    );
    await tx.query('UPDATE shared_workspace SET unpushed = NULL WHERE project_id = $1', [id]);
    for (const table of PROJECT_TABLES) await tx.query(`DELETE FROM ${table} WHERE project_id = $1`, [id]);
    return true;
  }

  private async deleteRows(tx: Tx, sessionIds: readonly string[]): Promise<void> {
    for (const table of SESSION_TABLES) await tx.query(`DELETE FROM ${table} WHERE session_id = ANY($1)`, [sessionIds]);
    // The messages themselves go at once; that there were turns is needed to empty the blob store.
    await tx.query(
      `UPDATE turn SET message = '""', text = '""', attachments = '[]', options = '{}', persona = NULL,
         permission_denials = '[]', launch = NULL, error_detail = NULL WHERE session_id = ANY($1)`,
      [sessionIds],
    );
  }

  private async list(sql: string, values: unknown[]): Promise<Purged[]> {
    const { rows } = await this.database.pool.query<{ kind: Deletion['kind']; id: string; team_id: string }>(
      sql,
      values,
    );
    return rows.map(({ kind, id, team_id }) => ({ kind, id, teamId: team_id }));
  }
}
