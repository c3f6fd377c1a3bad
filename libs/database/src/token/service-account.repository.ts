import type { ServiceAccount } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ApiTokenRow, ServiceAccountRow, UserRow } from '../generated/rows';

/** No account of a person has an address there, and no mail reaches one. */
const MAIL_DOMAIN = 'service-account.invalid';
/** No hash: every password is wrong. */
const NO_PASSWORD = '!';

type ShownRow = ServiceAccountRow & {
  name: UserRow['name'];
  owner_name: UserRow['name'] | null;
  has_own_key: boolean;
  tokens: number;
  last_used_at: ApiTokenRow['last_used_at'];
};

const SHOWN_SQL = `SELECT sa.*, u.name, o.name AS owner_name,
    EXISTS (SELECT 1 FROM model_key k WHERE k.team_id = sa.team_id AND k.user_id = sa.user_id
      AND k.active_slot IS NOT NULL) AS has_own_key,
    (SELECT count(*)::int FROM api_token t WHERE t.user_id = sa.user_id AND t.revoked_at IS NULL
      AND t.expires_at > now()) AS tokens,
    (SELECT max(t.last_used_at) FROM api_token t WHERE t.user_id = sa.user_id) AS last_used_at
  FROM service_account sa JOIN "user" u ON u.id = sa.user_id LEFT JOIN "user" o ON o.id = sa.owner_id`;

/** Members of teams that are no people. */
export class ServiceAccountRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null where the owner is no member who may. */
  async create(
    { teamId, name, ownerId }: { teamId: string; name: string; ownerId: string },
    by: { userId: string; name: string },
  ): Promise<ServiceAccount | null> {
    const id = newId('user');
    const isMade = await inTransaction(this.database.pool, async (tx) => {
      if (!(await mayOwn(tx, teamId, ownerId))) return false;
      await tx.query(`INSERT INTO "user" (id, email, name, password_hash, is_service) VALUES ($1, $2, $3, $4, true)`, [
        id,
        `${id.toLowerCase()}@${MAIL_DOMAIN}`,
        storableText(name),
        NO_PASSWORD,
      ]);
      await tx.query(`INSERT INTO membership (team_id, user_id, role) VALUES ($1, $2, 'member')`, [teamId, id]);
      await tx.query(
        `INSERT INTO service_account (user_id, team_id, owner_id, created_by_id, created_by_name)
         VALUES ($1, $2, $3, $4, $5)`,
        [id, teamId, ownerId, by.userId, storableText(by.name)],
      );
      return true;
    });
    return isMade ? this.find(id) : null;
  }

  async find(id: string): Promise<ServiceAccount | null> {
    const { rows } = await this.database.pool.query<ShownRow>(`${SHOWN_SQL} WHERE sa.user_id = $1`, [id]);
    return rows[0] ? accountFromRow(rows[0]) : null;
  }

  /** Of the teams that are named, and those that the person owns; oldest first. */
  async list(teamIds: readonly string[], ownerId: string): Promise<ServiceAccount[]> {
    const { rows } = await this.database.pool.query<ShownRow>(
      `${SHOWN_SQL} WHERE sa.team_id = ANY($1) OR sa.owner_id = $2 ORDER BY sa.created_at, sa.user_id`,
      [teamIds, ownerId],
    );
    return rows.map(accountFromRow);
  }

  /** What is not named stays. `no_owner`: the one who is named is no member who may. */
  update(
    id: string,
    { name, ownerId }: { name?: string; ownerId?: string },
  ): Promise<'done' | 'not_found' | 'no_owner'> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<ServiceAccountRow, 'team_id'>>(
        'SELECT team_id FROM service_account WHERE user_id = $1 FOR UPDATE',
        [id],
      );
      const teamId = rows[0]?.team_id;
      if (teamId === undefined) return 'not_found';
      if (ownerId !== undefined) {
        if (!(await mayOwn(tx, teamId, ownerId))) return 'no_owner';
        await tx.query('UPDATE service_account SET owner_id = $2 WHERE user_id = $1', [id, ownerId]);
      }
      if (name !== undefined) await tx.query('UPDATE "user" SET name = $2 WHERE id = $1', [id, storableText(name)]);
      return 'done';
    });
  }
}

/** A person of the team who works in it; locked, so that they cannot leave meanwhile. */
async function mayOwn(tx: Tx, teamId: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM membership m JOIN "user" u ON u.id = m.user_id
     WHERE m.team_id = $1 AND m.user_id = $2 AND m.role <> 'viewer' AND NOT u.is_service FOR SHARE OF m`,
    [teamId, userId],
  );
  return rowCount === 1;
}

function accountFromRow(row: ShownRow): ServiceAccount {
  return {
    id: row.user_id,
    teamId: row.team_id,
    name: row.name,
    owner: row.owner_id === null ? null : { userId: row.owner_id, name: row.owner_name ?? '' },
    createdBy: { userId: row.created_by_id, name: row.created_by_name },
    createdAt: row.created_at.toISOString(),
    hasOwnKey: row.has_own_key,
    tokens: row.tokens,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
