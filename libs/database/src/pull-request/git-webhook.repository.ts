import type { GitHostKind, GitWebhook } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { GitWebhookRow } from '../generated/rows';

/** All that people see of a webhook but its address, which the server knows. */
export type GitWebhookRecord = Omit<GitWebhook, 'url'>;
type SealedGitWebhook = { id: string; projectId: string; sealed: Buffer };

/** What a delivery said, verified: `keys` are remembered, so that it counts once. */
type Delivery = { host: GitHostKind; event: string; keys: readonly string[] };

const SHOWN = `id, project_id, created_by_id, created_by_name, created_at, secret_since, last_delivery_at,
  last_delivery_host, last_delivery_event, last_failure_at, last_failure`;
type ShownRow = Omit<GitWebhookRow, 'sealed'>;

/** How long a delivery is remembered: hosts send one again for some days at most. */
const REMEMBERED_DAYS = 14;

/** Where git hosts report what changed: one webhook a project, and what came to it. */
export class GitWebhookRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async find(projectId: string): Promise<GitWebhookRecord | null> {
    const { rows } = await this.database.pool.query<ShownRow>(
      `SELECT ${SHOWN} FROM git_webhook WHERE project_id = $1`,
      [projectId],
    );
    return rows[0] ? webhookFromRow(rows[0]) : null;
  }

  /** Of an archived project there is none. */
  async findSealed(id: string): Promise<SealedGitWebhook | null> {
    const { rows } = await this.database.pool.query<Pick<GitWebhookRow, 'id' | 'project_id' | 'sealed'>>(
      `SELECT w.id, w.project_id, w.sealed FROM git_webhook w JOIN project p ON p.id = w.project_id
       WHERE w.id = $1 AND p.archived_at IS NULL`,
      [id],
    );
    const [row] = rows;
    return row ? { id: row.id, projectId: row.project_id, sealed: Buffer.from(row.sealed) } : null;
  }

  /** Makes it, or gives the one that is there another secret: `seal` seals it for the id that it has. */
  async put({
    id,
    projectId,
    seal,
    by,
  }: {
    id: string;
    projectId: string;
    seal(id: string): Buffer;
    by: { userId: string; name: string };
  }): Promise<{ webhook: GitWebhookRecord; isNew: boolean }> {
    return inTransaction(this.database.pool, async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('git_webhook/' || $1, 0))", [projectId]);
      const known = await tx.query<Pick<GitWebhookRow, 'id'>>('SELECT id FROM git_webhook WHERE project_id = $1', [
        projectId,
      ]);
      const [earlier] = known.rows;
      const { rows } = earlier
        ? await tx.query<ShownRow>(
            `UPDATE git_webhook SET sealed = $2, secret_since = now(), last_failure_at = NULL, last_failure = NULL
             WHERE id = $1 RETURNING ${SHOWN}`,
            [earlier.id, seal(earlier.id)],
          )
        : await tx.query<ShownRow>(
            `INSERT INTO git_webhook (id, project_id, sealed, created_by_id, created_by_name)
             VALUES ($1, $2, $3, $4, $5) RETURNING ${SHOWN}`,
            [id, projectId, seal(id), by.userId, storableText(by.name)],
          );
      const [row] = rows;
      if (!row) throw new Error('the webhook was not stored');
      return { webhook: webhookFromRow(row), isNew: !earlier };
    });
  }

  /** False: there is none. */
  async remove(projectId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('DELETE FROM git_webhook WHERE project_id = $1', [projectId]);
    return rowCount === 1;
  }

  /** Not for each of many: who guesses is not to write all the time. */
  async noteFailure(id: string, text: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE git_webhook SET last_failure_at = now(), last_failure = $2
       WHERE id = $1 AND (last_failure_at IS NULL OR last_failure_at < now() - interval '5 seconds')`,
      [id, storableText(text)],
    );
  }

  /**
   * Remembers a delivery and has the pull requests that it is about read again by the next user who looks, in one
   * transaction. Answers their sessions; null: it was here before, and nothing was changed.
   */
  async accept({
    hook: { id, projectId },
    delivery: { host, event, keys },
    about: { numbers, branches },
  }: {
    hook: Pick<SealedGitWebhook, 'id' | 'projectId'>;
    delivery: Delivery;
    about: { numbers: readonly number[]; branches: readonly string[] };
  }): Promise<string[] | null> {
    return inTransaction(this.database.pool, async (tx) => {
      await tx.query(
        `DELETE FROM git_webhook_delivery WHERE webhook_id = $1 AND received_at < now() - make_interval(days => $2)`,
        [id, REMEMBERED_DAYS],
      );
      // In one order, so that two copies do not wait for each other.
      const { rowCount } = await tx.query(
        `INSERT INTO git_webhook_delivery (webhook_id, key) SELECT $1, key FROM unnest($2::text[]) AS key ORDER BY key
         ON CONFLICT DO NOTHING`,
        [id, keys],
      );
      if ((rowCount ?? 0) < keys.length) return null;
      await tx.query(
        `UPDATE git_webhook SET last_delivery_at = now(), last_delivery_host = $2, last_delivery_event = $3
         WHERE id = $1`,
        [id, host, storableText(event)],
      );
      const { rows } = await tx.query<{ session_id: string }>(
        `UPDATE pull_request p SET read_claimed_at = NULL FROM session s
         WHERE s.id = p.session_id AND s.project_id = $1 AND p.current_slot IS NOT NULL AND p.status = 'opened'
           AND (cardinality($2::int[]) + cardinality($3::text[]) = 0 OR p.number = ANY($2) OR p.wanted->>'head' = ANY($3))
         RETURNING p.session_id`,
        [projectId, numbers, branches.map(storableText)],
      );
      return rows.map(({ session_id }) => session_id);
    });
  }
}

function webhookFromRow(row: ShownRow): GitWebhookRecord {
  const { last_delivery_at: at, last_delivery_host: host, last_failure_at: failedAt } = row;
  return {
    id: row.id,
    projectId: row.project_id,
    createdBy: { userId: row.created_by_id, name: row.created_by_name },
    createdAt: row.created_at.toISOString(),
    secretSince: row.secret_since.toISOString(),
    lastDelivery: at && host ? { at: at.toISOString(), host, event: row.last_delivery_event ?? '' } : null,
    lastFailure: failedAt && { at: failedAt.toISOString(), text: row.last_failure ?? '' },
  };
}
