import type { ProjectRole, Role, User } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import type { MembershipRow, ProjectMemberRow, RefreshFamilyRow, UserRow } from '../generated/rows';

/** A person as the access check of each request needs them, by one statement. */
interface Identity {
  user: User;
  /** Whether that sign-in still stands. */
  signedIn: boolean;
  /** The latest generation of that sign-in whose answer is known to have arrived. */
  confirmedGeneration: number;
  /** Role by team id. */
  roles: Map<string, Role>;
  /** Role by project id, of the projects that name the person. */
  projectRoles: Map<string, ProjectRole>;
}

interface IdentityRow extends Pick<UserRow, 'id' | 'email' | 'name' | 'must_change_password'> {
  signed_in: boolean;
  confirmed_generation: RefreshFamilyRow['confirmed_generation'] | null;
  roles: Record<MembershipRow['team_id'], MembershipRow['role']>;
  project_roles: Record<ProjectMemberRow['project_id'], ProjectMemberRow['role']>;
}

export class IdentityRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** Null for an unknown person. The roles are those of this moment. */
  async find(userId: string, familyId: string): Promise<Identity | null> {
    const { rows } = await this.database.pool.query<IdentityRow>({
      name: 'find_identity',
      text: `SELECT u.id, u.email, u.name, u.must_change_password,
          coalesce(f.revoked_at IS NULL AND f.expires_at > now(), false) AND f.id IS NOT NULL AS signed_in,
            f.confirmed_generation,
          coalesce((SELECT json_object_agg(m.team_id, m.role) FROM membership m WHERE m.user_id = u.id), '{}') AS roles,
          coalesce((SELECT json_object_agg(pm.project_id, pm.role) FROM project_member pm WHERE pm.user_id = u.id), '{}')
            AS project_roles
        FROM "user" u LEFT JOIN refresh_family f ON f.id = $2 AND f.user_id = u.id WHERE u.id = $1`,
      values: [userId, familyId],
    });
    const row = rows[0];
    if (!row) return null;
    return {
      user: { id: row.id, email: row.email, name: row.name, mustChangePassword: row.must_change_password },
      signedIn: row.signed_in,
      confirmedGeneration: row.confirmed_generation ?? 0,
      roles: new Map(Object.entries(row.roles)),
      projectRoles: new Map(Object.entries(row.project_roles)),
    };
  }
}
