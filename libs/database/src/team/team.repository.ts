import type { Belongings, Member, OptionLimits, Options, Role, SlashAliases, Team } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { inTransaction } from '../connection/transaction';
import { storableText } from '../connection/storable-text';
import type { MembershipRow, TeamRow, UserRow } from '../generated/rows';
import { REVOKE_KEY_OF_MEMBER_SQL } from '../key/model-key.repository';
import { VOID_TRIGGERS_SQL } from '../schedule/void-triggers.sql';

/** `last_owner`: a team keeps at least one. `no_heir`: who should take over is no member who may. */
export type MembershipChange = 'done' | 'not_found' | 'last_owner' | 'no_heir';

/** Undoes a removal whose sessions no member can take over. */
class NoHeir extends Error {}

type JoinedRow = Pick<TeamRow, 'id' | 'name' | 'timezone' | 'options' | 'limits' | 'created_at'> &
  Pick<MembershipRow, 'role'>;

export class TeamRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** With its first owner. */
  async create(team: { name: string; timezone: string }, ownerId: string): Promise<Team> {
    const id = newId('team');
    await inTransaction(this.database.pool, async (tx) => {
      await tx.query('INSERT INTO team (id, name, timezone) VALUES ($1, $2, $3)', [
        id,
        storableText(team.name),
        team.timezone,
      ]);
      await tx.query(`INSERT INTO membership (team_id, user_id, role) VALUES ($1, $2, 'owner')`, [id, ownerId]);
    });
    return (await this.findForUser(id, ownerId)) as Team;
  }

  /** With the person's role in each; oldest first. */
  async listForUser(userId: string): Promise<Team[]> {
    const { rows } = await this.database.pool.query<JoinedRow>(
      'SELECT t.id, t.name, t.timezone, t.options, t.limits, t.created_at, m.role FROM membership m JOIN team t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.created_at, t.id',
      [userId],
    );
    return rows.map(teamFromRow);
  }

  /** Null for an unknown team and for one that the person is not in. */
  async findForUser(teamId: string, userId: string): Promise<Team | null> {
    const { rows } = await this.database.pool.query<JoinedRow>(
      'SELECT t.id, t.name, t.timezone, t.options, t.limits, t.created_at, m.role FROM membership m JOIN team t ON t.id = m.team_id WHERE m.user_id = $2 AND m.team_id = $1',
      [teamId, userId],
    );
    return rows[0] ? teamFromRow(rows[0]) : null;
  }

  /** The team that was made first; null when there is none. */
  async findOldestId(): Promise<string | null> {
    const oldest = await this.database.prisma.team.findFirst({
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { id: true },
    });
    return oldest?.id ?? null;
  }

  /** What no project of the team may go beyond; none for an unknown team. */
  async findLimits(teamId: string): Promise<OptionLimits> {
    const team = await this.database.prisma.team.findUnique({ where: { id: teamId }, select: { limits: true } });
    return team?.limits ?? {};
  }

  async findSlashAliases(teamId: string): Promise<SlashAliases> {
    const team = await this.database.prisma.team.findUnique({ where: { id: teamId }, select: { slashAliases: true } });
    return team?.slashAliases ?? [];
  }

  /** Answers what was there before. */
  async replaceSlashAliases(teamId: string, aliases: SlashAliases): Promise<SlashAliases> {
    const { rows } = await this.database.pool.query<Pick<TeamRow, 'slash_aliases'>>(
      `UPDATE team t SET slash_aliases = $2 FROM (SELECT id, slash_aliases FROM team WHERE id = $1 FOR UPDATE) before
       WHERE t.id = before.id RETURNING before.slash_aliases`,
      [teamId, JSON.stringify(aliases)],
    );
    return rows[0]?.slash_aliases ?? [];
  }

  /** What is not named stays; `options` replaces the defaults as a whole, `limits` the limits. */
  async update(
    teamId: string,
    changes: { name?: string; timezone?: string; options?: Options; limits?: OptionLimits },
  ): Promise<void> {
    await this.database.prisma.team.updateMany({
      where: { id: teamId },
      data: { ...changes, ...(changes.name === undefined ? {} : { name: storableText(changes.name) }) },
    });
  }

  async listMembers(teamId: string): Promise<Member[]> {
    const { rows } = await this.database.pool.query<
      Pick<MembershipRow, 'user_id' | 'role' | 'joined_at'> & Pick<UserRow, 'email' | 'name' | 'is_service'>
    >(
      `SELECT m.user_id, u.email, u.name, u.is_service, m.role, m.joined_at FROM membership m
         JOIN "user" u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id`,
      [teamId],
    );
    return rows.map((row) => ({
      userId: row.user_id,
      email: row.email,
      name: row.name,
      role: row.role,
      joinedAt: row.joined_at.toISOString(),
      kind: row.is_service ? 'service' : 'person',
    }));
  }

  /** A viewer answers for no service account, and what they know of triggers is void. */
  async changeRole(teamId: string, userId: string, role: Role): Promise<MembershipChange> {
    return this.changeMembership(teamId, userId, role === 'owner', async (tx) => {
      await tx.query('UPDATE membership SET role = $3 WHERE team_id = $1 AND user_id = $2', [teamId, userId, role]);
      if (role !== 'viewer') return;
      await tx.query('UPDATE service_account SET owner_id = NULL WHERE team_id = $1 AND owner_id = $2', [
        teamId,
        userId,
      ]);
      await tx.query(VOID_TRIGGERS_SQL, [userId, teamId]);
    });
  }

  /** What the member has in the team that another member would have to take over. */
  async belongingsOf(teamId: string, userId: string): Promise<Omit<Belongings, 'privateSessionsWithWork'>> {
    const { rows } = await this.database.pool.query<{ private: number; shared: number; has_key: boolean }>(
      `SELECT count(*) FILTER (WHERE visibility = 'private')::int AS private,
        count(*) FILTER (WHERE visibility <> 'private')::int AS shared,
         EXISTS (SELECT 1 FROM model_key WHERE team_id = $1 AND user_id = $2 AND active_slot IS NOT NULL) AS has_key
       FROM session WHERE team_id = $1 AND owner_id = $2 AND archived_at IS NULL`,
      [teamId, userId],
    );
    return {
      privateSessions: rows[0]?.private ?? 0,
      sharedSessions: rows[0]?.shared ?? 0,
      hasOwnKey: rows[0]?.has_key ?? false,
    };
  }

  /** The private sessions of a member that are not archived: without their owner no one could reach them. */
  async privateSessionsOf(teamId: string, userId: string): Promise<string[]> {
    const rows = await this.database.prisma.session.findMany({
      where: { teamId, ownerId: userId, visibility: 'private', archivedAt: null },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }

  /**
   * Their key in the team goes with them, and the invitations and secrets of triggers that they made are void. With
   * `handTo` that member owns all of their sessions in the team from now on, archived ones too; only a member who is
   * no viewer can.
   */
  async removeMember(teamId: string, userId: string, handTo: string | null = null): Promise<MembershipChange> {
    return this.changeMembership(teamId, userId, false, async (tx) => {
      if (handTo !== null) {
        const heir = await tx.query(
          `SELECT 1 FROM membership WHERE team_id = $1 AND user_id = $2 AND user_id <> $3
            AND role <> 'viewer' AND NOT EXISTS (SELECT 1 FROM service_account sa WHERE sa.user_id = $2)
           FOR KEY SHARE`,
          [teamId, handTo, userId],
        );
        if (heir.rowCount === 0) throw new NoHeir();
        await tx.query('UPDATE session SET owner_id = $3 WHERE team_id = $1 AND owner_id = $2', [
          teamId,
          userId,
          handTo,
        ]);
      }
      // Without an heir no one answers for them: they are suspended until an owner is named.
      await tx.query('UPDATE service_account SET owner_id = $3 WHERE team_id = $1 AND owner_id = $2', [
        teamId,
        userId,
        handTo,
      ]);
      await tx.query(REVOKE_KEY_OF_MEMBER_SQL, [teamId, userId]);
      await tx.query('DELETE FROM membership WHERE team_id = $1 AND user_id = $2', [teamId, userId]);
      await tx.query(VOID_TRIGGERS_SQL, [userId, teamId]);
    });
  }

  private async changeMembership(
    teamId: string,
    userId: string,
    staysOwner: boolean,
    change: (tx: Tx) => Promise<unknown>,
  ): Promise<MembershipChange> {
    return await inTransaction<MembershipChange>(this.database.pool, async (tx) => {
      // All of the team's owners are locked, so two of them cannot leave at the same moment.
      const owners = await tx.query<Pick<MembershipRow, 'user_id'>>(
        `SELECT user_id FROM membership WHERE team_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
        [teamId],
      );
      const found = await tx.query('SELECT 1 FROM membership WHERE team_id = $1 AND user_id = $2', [teamId, userId]);
      if (found.rowCount === 0) return 'not_found';
      const isOnlyOwner = owners.rows.length === 1 && owners.rows[0]?.user_id === userId;
      if (isOnlyOwner && !staysOwner) return 'last_owner';
      await change(tx);
      return 'done';
    }).catch((error: unknown) => {
      if (error instanceof NoHeir) return 'no_heir';
      throw error;
    });
  }
}

function teamFromRow(row: JoinedRow): Team {
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    options: row.options,
    limits: row.limits,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  };
}
