import type { ProjectMember, ProjectRole } from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import { inTransaction } from '../connection/transaction';
import type { MembershipRow, ProjectMemberRow, ProjectRow, UserRow } from '../generated/rows';

type MemberRow = Pick<ProjectMemberRow, 'user_id' | 'role' | 'added_at'> &
  Pick<UserRow, 'name' | 'email'> & { team_role: MembershipRow['role'] };

/** `last_manager`: a project of its members would have no one of them left who manages it. */
type MemberChange = 'done' | 'not_found' | 'last_manager';

const SELECT = `SELECT pm.user_id, pm.role, pm.added_at, u.name, u.email, m.role AS team_role FROM project_member pm
  JOIN "user" u ON u.id = pm.user_id JOIN membership m ON m.team_id = pm.team_id AND m.user_id = pm.user_id`;

/** People whom a project names, with their role in it. Each is a member of its team; with that their row here ends. */
export class ProjectMemberRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async list(projectId: string): Promise<ProjectMember[]> {
    const { rows } = await this.database.pool.query<MemberRow>(
      `${SELECT} WHERE pm.project_id = $1 ORDER BY pm.added_at, pm.user_id`,
      [projectId],
    );
    return rows.map(memberFromRow);
  }

  async find(projectId: string, userId: string): Promise<ProjectMember | null> {
    const { rows } = await this.database.pool.query<MemberRow>(
      `${SELECT} WHERE pm.project_id = $1 AND pm.user_id = $2`,
      [projectId, userId],
    );
    return rows[0] ? memberFromRow(rows[0]) : null;
  }

  /** Names a person, or gives them another role. `not_found` for one who is not in the project's team. */
  async put(projectId: string, userId: string, role: ProjectRole, addedById: string): Promise<MemberChange> {
    return this.keepingAManager(projectId, async (tx) => {
      const { rowCount } = await tx.query(
        `INSERT INTO project_member (project_id, team_id, user_id, role, added_by_id)
         SELECT p.id, m.team_id, m.user_id, $3, $4 FROM project p JOIN membership m ON m.team_id = p.team_id
         WHERE p.id = $1 AND m.user_id = $2
         ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
        [projectId, userId, role, addedById],
      );
      return rowCount === 1;
    });
  }

  async remove(projectId: string, userId: string): Promise<MemberChange> {
    return this.keepingAManager(projectId, async (tx) => {
      const { rowCount } = await tx.query('DELETE FROM project_member WHERE project_id = $1 AND user_id = $2', [
        projectId,
        userId,
      ]);
      return rowCount === 1;
    });
  }

  /** Makes it its members' alone, among whom `userId` manages it, or the team's. False when it was before. */
  async setVisibility(projectId: string, visibility: ProjectRow['visibility'], userId: string): Promise<boolean> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rowCount } = await tx.query(
        'UPDATE project SET visibility = $2, updated_at = now() WHERE id = $1 AND visibility <> $2',
        [projectId, visibility],
      );
      if (rowCount === 1 && visibility === 'members')
        await tx.query(
          `INSERT INTO project_member (project_id, team_id, user_id, role, added_by_id)
           SELECT p.id, m.team_id, m.user_id, 'manage', m.user_id FROM project p JOIN membership m
             ON m.team_id = p.team_id WHERE p.id = $1 AND m.user_id = $2
           ON CONFLICT (project_id, user_id) DO UPDATE SET role = 'manage'`,
          [projectId, userId],
        );
      return rowCount === 1;
    });
  }

  /** Changes of one project's members wait for each other: two managers cannot remove one another at once. */
  private async keepingAManager(projectId: string, change: (tx: Tx) => Promise<boolean>): Promise<MemberChange> {
    return inTransaction<MemberChange>(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<ProjectRow, 'visibility'>>(
        'SELECT visibility FROM project WHERE id = $1 FOR UPDATE',
        [projectId],
      );
      if (!(await change(tx))) return 'not_found';
      if (rows[0]?.visibility !== 'members') return 'done';
      const left = await tx.query(`SELECT 1 FROM project_member WHERE project_id = $1 AND role = 'manage' LIMIT 1`, [
        projectId,
      ]);
      if (left.rowCount === 0) throw new LastManager();
      return 'done';
    }).catch((error: unknown) => {
      if (error instanceof LastManager) return 'last_manager';
      throw error;
    });
  }
}

/** Undoes the change. */
class LastManager extends Error {}

function memberFromRow({ user_id, role, added_at, name, email, team_role }: MemberRow): ProjectMember {
  return { userId: user_id, name, email, role, teamRole: team_role, addedAt: added_at.toISOString() };
}
