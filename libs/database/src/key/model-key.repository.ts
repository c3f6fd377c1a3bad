import type { KeyScope, ModelKey } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ModelKey as ModelKeyRecord } from '../generated/client';
import type { MembershipRow, ModelKeyRow } from '../generated/rows';

interface NewModelKey {
  id: string;
  teamId: string;
  /** The person whose key it is; null for the team's. */
  userId: string | null;
  sealed: Buffer;
  hint: string | null;
  createdBy: { userId: string; name: string };
}

/**
 * The key that a user's work in a team is billed to. `may_not_work`: none, since they are not a member or only a
 * viewer.
 */
type PayingKey = 'may_not_work' | { id: string; scope: KeyScope; sealed: Buffer } | null;

/** What the outside sees of a key: all but its value. */
const PUBLIC_FIELDS = {
  id: true,
  teamId: true,
  userId: true,
  hint: true,
  createdById: true,
  createdByName: true,
  createdAt: true,
  lastUsedAt: true,
  lastError: true,
  lastErrorAt: true,
} as const;
type PublicRecord = Pick<ModelKeyRecord, keyof typeof PUBLIC_FIELDS>;

/** The person's own key comes before the team's; another person's is never used. */
const PAYING_SQL = `
SELECT m.user_id AS member, k.id, k.user_id, k.sealed
FROM (SELECT $1::text AS team_id, $2::text AS user_id) asked
LEFT JOIN membership m ON m.team_id = asked.team_id AND m.user_id = asked.user_id AND m.role <> 'viewer'
LEFT JOIN model_key k ON k.active_slot IN (asked.team_id || '/' || asked.user_id, asked.team_id || '/team')
ORDER BY k.user_id NULLS LAST LIMIT 1`;

/** How often a key that works is marked as used. */
const MARK_EVERY = '1 minute';

export class ModelKeyRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** Puts the key in force and, in the same commit, the one that it replaces out of it, whose value is then gone. */
  async put(key: NewModelKey): Promise<{ key: ModelKey; replaced: string | null }> {
    const slot = activeSlot(key.teamId, key.userId);
    return inTransaction(this.database.pool, async (tx) => {
      // Writers of the same key are serialised.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [slot]);
      const earlier = await tx.query<Pick<ModelKeyRow, 'id'>>(`${REVOKE_SQL} WHERE active_slot = $1 RETURNING id`, [
        slot,
      ]);
      const { rows } = await tx.query<PublicRecord>(
        `INSERT INTO model_key (id, team_id, user_id, active_slot, sealed, hint, created_by_id, created_by_name)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columnsOf('ModelKey', { select: PUBLIC_FIELDS })}`,
        [
          key.id,
          key.teamId,
          key.userId,
          slot,
          key.sealed,
          key.hint,
          key.createdBy.userId,
          storableText(key.createdBy.name),
        ],
      );
      return { key: keyFromRow(rows[0] as PublicRecord), replaced: earlier.rows[0]?.id ?? null };
    });
  }

  /** The keys in force of these teams that are the team's or that person's own; oldest first. */
  async list(teamIds: readonly string[], userId: string): Promise<ModelKey[]> {
    const rows = await this.database.prisma.modelKey.findMany({
      where: { teamId: { in: [...teamIds] }, OR: [{ userId: null }, { userId }], activeSlot: { not: null } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: PUBLIC_FIELDS,
    });
    return rows.map(keyFromRow);
  }

  /** Takes the key out of force; its value is gone. False when it was not in force. */
  async revoke(keyId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(`${REVOKE_SQL} WHERE id = $1 AND active_slot IS NOT NULL`, [
      keyId,
    ]);
    return rowCount === 1;
  }

  /** The same with that person's own key in the team. */
  async revokeOfMember(teamId: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(REVOKE_KEY_OF_MEMBER_SQL, [teamId, userId]);
    return rowCount === 1;
  }

  /**
   * The key that pays for that person's work in the team at this moment; null where neither they nor the team have one.
   */
  async findPaying(teamId: string, userId: string): Promise<PayingKey> {
    const { rows } = await this.database.pool.query<{
      member: MembershipRow['user_id'] | null;
      id: ModelKeyRow['id'] | null;
      user_id: ModelKeyRow['user_id'];
      sealed: ModelKeyRow['sealed'];
    }>({
      name: 'find_paying_key',
      text: PAYING_SQL,
      values: [teamId, userId],
    });
    const row = rows[0];
    if (!row || row.member === null) return 'may_not_work';
    if (row.id === null || row.sealed === null) return null;
    return { id: row.id, scope: row.user_id === null ? 'team' : 'user', sealed: row.sealed };
  }

  /** The service took the key: the error of an earlier try is over. */
  async markUsed(keyId: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE model_key SET last_used_at = now(), last_error = NULL, last_error_at = NULL
       WHERE id = $1 AND (last_error IS NOT NULL OR last_used_at IS NULL
         OR last_used_at < now() - interval '${MARK_EVERY}')`,
      [keyId],
    );
  }

  /** The key could not be used. `text` must hold nothing of it. */
  async markFailed(keyId: string, text: string): Promise<void> {
    await this.database.pool.query('UPDATE model_key SET last_error = $2, last_error_at = now() WHERE id = $1', [
      keyId,
      storableText(text),
    ]);
  }

  /**
   * Seals again what `renew` wants sealed again: it answers the new box, or null for one that stays as it is. A key
   * that is replaced meanwhile keeps its new value. Answers how many were.
   */
  async reseal(renew: (keyId: string, sealed: Buffer) => Buffer | null): Promise<number> {
    const rows = await this.database.prisma.modelKey.findMany({
      where: { sealed: { not: null } },
      select: { id: true, sealed: true },
    });
    let count = 0;
    for (const { id, sealed: stored } of rows) {
      const sealed = Buffer.from(stored ?? []);
      const renewed = renew(id, sealed);
      if (renewed === null) continue;
      const { rowCount } = await this.database.pool.query(
        'UPDATE model_key SET sealed = $3 WHERE id = $1 AND sealed = $2',
        [id, sealed, renewed],
      );
      count += rowCount ?? 0;
    }
    return count;
  }
}

const REVOKE_SQL = 'UPDATE model_key SET active_slot = NULL, sealed = NULL, revoked_at = now()';

/** What a member who leaves had in a team must not outlive them there. */
export const REVOKE_KEY_OF_MEMBER_SQL = `${REVOKE_SQL} WHERE team_id = $1 AND user_id = $2 AND active_slot IS NOT NULL`;

function activeSlot(teamId: string, userId: string | null): string {
  return `${teamId}/${userId ?? 'team'}`;
}

function keyFromRow(row: PublicRecord): ModelKey {
  return {
    id: row.id,
    teamId: row.teamId,
    scope: row.userId === null ? 'team' : 'user',
    hint: row.hint,
    createdBy: { userId: row.createdById, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastError:
      row.lastError === null || row.lastErrorAt === null
        ? null
        : { at: row.lastErrorAt.toISOString(), text: row.lastError },
  };
}
