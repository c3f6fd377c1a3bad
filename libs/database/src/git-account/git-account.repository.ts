import type { GitAccount, GitAccountKind } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { GitAccount as GitAccountRecord } from '../generated/client';
import type { GitAccountRow } from '../generated/rows';

/** Whose account it is: a user's, or a team's. */
type Owner = { userId: string; teamId: null } | { userId: null; teamId: string };

type NewGitAccount = Owner & {
  id: string;
  host: string;
  kind: GitAccountKind;
  username: string | null;
  sealed: Buffer;
  publicKey: string | null;
  fingerprint: string | null;
  createdBy: { userId: string; name: string };
};

/** An account as a worker uses it; `ownerId` is what its secret was sealed for. */
export type SealedGitAccount = Pick<GitAccount, 'id' | 'scope' | 'host' | 'kind' | 'username'> & {
  ownerId: string;
  sealed: Buffer;
};

/** What the outside sees of an account: all but its secret. */
const PUBLIC_FIELDS = {
  id: true,
  teamId: true,
  userId: true,
  host: true,
  kind: true,
  username: true,
  publicKey: true,
  fingerprint: true,
  createdById: true,
  createdByName: true,
  createdAt: true,
  lastUsedAt: true,
  lastError: true,
  lastErrorAt: true,
} as const;
type PublicRecord = Pick<GitAccountRecord, keyof typeof PUBLIC_FIELDS>;
type SealedRow = Pick<GitAccountRow, 'id' | 'team_id' | 'user_id' | 'host' | 'kind' | 'username' | 'sealed'>;

const REVOKE_SQL = 'UPDATE git_account SET active_slot = NULL, sealed = NULL, revoked_at = now()';
const SEALED_COLUMNS = 'g.id, g.team_id, g.user_id, g.host, g.kind, g.username, g.sealed';

/**
 * The user's own account comes before the team's; another user's is never used, and no one's for who may not work in
 * the team.
 */
const FOR_ACT_SQL = `
SELECT ${SEALED_COLUMNS} FROM git_account g
WHERE g.active_slot IN ('user/' || $2 || '/' || $4 || '/' || $3, 'team/' || $1 || '/' || $4 || '/' || $3)
  AND EXISTS (SELECT FROM membership m WHERE m.team_id = $1 AND m.user_id = $2 AND m.role <> 'viewer')
ORDER BY g.user_id NULLS LAST LIMIT 1`;

/** What signs in to git hosts. */
export class GitAccountRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /**
   * Puts the account in force. A token takes the place of an earlier one of its owner and host, whose secret is gone
   * in the same commit; of a pair of keys, which another place knows already, there is one at a time: null.
   */
  async put(account: NewGitAccount): Promise<{ account: GitAccount; replaced: string | null } | null> {
    const slot = activeSlot(account, account.kind, account.host);
    return inTransaction(this.database.pool, async (tx) => {
      // Writers of the same account are serialised.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [slot]);
      const earlier = await tx.query<Pick<GitAccountRow, 'id'>>('SELECT id FROM git_account WHERE active_slot = $1', [
        slot,
      ]);
      const [replaced] = earlier.rows;
      if (replaced && account.kind === 'ssh') return null;
      if (replaced) await tx.query(`${REVOKE_SQL} WHERE id = $1`, [replaced.id]);
      const { rows } = await tx.query<PublicRecord>(
        `INSERT INTO git_account (id, team_id, user_id, host, kind, username, active_slot, sealed, public_key,
           fingerprint, created_by_id, created_by_name)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         RETURNING ${columnsOf('GitAccount', { select: PUBLIC_FIELDS })}`,
        [
          account.id,
          account.teamId,
          account.userId,
          account.host,
          account.kind,
          account.username === null ? null : storableText(account.username),
          slot,
          account.sealed,
          account.publicKey,
          account.fingerprint,
          account.createdBy.userId,
          storableText(account.createdBy.name),
        ],
      );
      return { account: accountFromRow(rows[0] as PublicRecord), replaced: replaced?.id ?? null };
    });
  }

  /** The accounts in force that are that user's own or of one of these teams; oldest first. */
  async list(teamIds: readonly string[], userId: string): Promise<GitAccount[]> {
    const rows = await this.database.prisma.gitAccount.findMany({
      where: { activeSlot: { not: null }, OR: [{ userId }, { teamId: { in: [...teamIds] } }] },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: PUBLIC_FIELDS,
    });
    return rows.map(accountFromRow);
  }

  /** Takes the account out of force; its secret is gone. False when it was not in force. */
  async revoke(accountId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(`${REVOKE_SQL} WHERE id = $1 AND active_slot IS NOT NULL`, [
      accountId,
    ]);
    return rowCount === 1;
  }

  /** What a user acts with at a host on behalf of a team, as it is at this moment; null: nothing. */
  async findForAct({
    teamId,
    userId,
    host,
    kind,
  }: {
    teamId: string;
    userId: string;
    host: string;
    kind: GitAccountKind;
  }): Promise<SealedGitAccount | null> {
    const { rows } = await this.database.pool.query<SealedRow>(FOR_ACT_SQL, [teamId, userId, host, kind]);
    return sealedFromRow(rows[0]);
  }

  /** One account, for its test by a user who may: the caller has checked that. Null when it is not in force. */
  async findSealed(accountId: string): Promise<SealedGitAccount | null> {
    const { rows } = await this.database.pool.query<SealedRow>(
      `SELECT ${SEALED_COLUMNS} FROM git_account g WHERE g.id = $1 AND g.active_slot IS NOT NULL`,
      [accountId],
    );
    return sealedFromRow(rows[0]);
  }

  /** The host took it: the error of an earlier try is over. */
  async markUsed(accountId: string): Promise<void> {
    await this.database.pool.query(
      'UPDATE git_account SET last_used_at = now(), last_error = NULL, last_error_at = NULL WHERE id = $1',
      [accountId],
    );
  }

  /** The host refused it. `text` must hold nothing of its secret. */
  async markFailed(accountId: string, text: string): Promise<void> {
    await this.database.pool.query('UPDATE git_account SET last_error = $2, last_error_at = now() WHERE id = $1', [
      accountId,
      storableText(text),
    ]);
  }

  /**
   * Seals again what `renew` wants sealed again: it answers the new box, or null for one that stays as it is. Answers
   * how many were.
   */
  async reseal(renew: (ownerId: string, accountId: string, sealed: Buffer) => Buffer | null): Promise<number> {
    const rows = await this.database.prisma.gitAccount.findMany({
      where: { sealed: { not: null } },
      select: { id: true, teamId: true, userId: true, sealed: true },
    });
    let count = 0;
    for (const { id, teamId, userId, sealed: stored } of rows) {
      const sealed = Buffer.from(stored ?? []);
      const renewed = renew(userId ?? teamId ?? '', id, sealed);
      if (renewed === null) continue;
      const { rowCount } = await this.database.pool.query(
        'UPDATE git_account SET sealed = $3 WHERE id = $1 AND sealed = $2',
        [id, sealed, renewed],
      );
      count += rowCount ?? 0;
    }
    return count;
  }
}

/** `FOR_ACT_SQL` writes it too. */
function activeSlot({ teamId, userId }: Owner, kind: GitAccountKind, host: string): string {
  return `${userId === null ? `team/${teamId}` : `user/${userId}`}/${kind}/${host}`;
}

function sealedFromRow(row: SealedRow | undefined): SealedGitAccount | null {
  if (!row || row.sealed === null) return null;
  const { id, user_id: userId, team_id: teamId, host, kind, username, sealed } = row;
  const scope = userId === null ? 'team' : 'user';
  return { id, scope, ownerId: userId ?? teamId ?? '', host, kind, username, sealed };
}

function accountFromRow(row: PublicRecord): GitAccount {
  return {
    id: row.id,
    scope: row.userId === null ? 'team' : 'user',
    teamId: row.teamId,
    host: row.host,
    kind: row.kind,
    username: row.username,
    ...(row.publicKey === null ? {} : { publicKey: row.publicKey }),
    ...(row.fingerprint === null ? {} : { fingerprint: row.fingerprint }),
    createdBy: { userId: row.createdById, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastError:
      row.lastError === null || row.lastErrorAt === null
        ? null
        : { at: row.lastErrorAt.toISOString(), text: row.lastError },
  };
}
