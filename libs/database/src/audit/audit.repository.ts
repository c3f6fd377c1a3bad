import type { AuditEntry, Page } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';

export interface NewAuditEntry {
  teamId: string | null;
  userId: string | null;
  userName: string | null;
  /** `noun:verb` */
  action: string;
  /** The id of what was acted upon. */
  object: string;
  /** Masked already. */
  detail?: Record<string, unknown>;
}

interface AuditRow {
  id: string;
  at: Date;
  user_id: string | null;
  user_name: string | null;
  action: string;
  object: string;
  detail: string;
}

/** Append-only: there is no way here to change or remove an entry. */
export class AuditRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** With `tx`, in the transaction of the act itself. */
  async record(entry: NewAuditEntry, tx: Tx = this.database.pool): Promise<void> {
    const { teamId, userId, userName, action, object, detail = {} } = entry;
    await tx.query('INSERT INTO audit_entry (id, team_id, user_id, user_name, action, object, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
      newId('audit'),
      teamId,
      userId,
      userName === null ? null : storableText(userName),
      action,
      storableText(object),
      JSON.stringify(detail),
    ]);
  }

  /** Latest first. */
  async list(teamId: string, { cursor, limit }: { cursor?: string; limit: number }): Promise<Page<AuditEntry>> {
    const { rows } = await this.database.pool.query<AuditRow>(
      'SELECT * FROM audit_entry WHERE team_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3',
      [teamId, cursor ?? null, limit + 1],
    );
    const data = rows.slice(0, limit).map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      userId: row.user_id,
      userName: row.user_name,
      action: row.action,
      object: row.object,
      detail: JSON.parse(row.detail) as Record<string, unknown>,
    }));
    return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
  }
}
