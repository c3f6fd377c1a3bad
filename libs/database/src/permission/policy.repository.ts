import type { IdentityClass } from '@chirality/contracts';
import { mayAnswerIn, type PermissionRule, type PolicyInForce } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { ProjectMemberRow, ProjectRow, SessionRow } from '../generated/rows';
import { PROJECT_ACCESS } from '../project/project-access.sql';

type InForceRow = Pick<ProjectRow, 'strict' | 'auto_approve_by_id' | 'auto_approve_by_name'> &
  Pick<SessionRow, 'owner_id' | 'visibility'> & {
    auto_approve: boolean;
    role: ProjectMemberRow['role'] | null;
    rules: PermissionRule[];
  };

/** What decides about tools, read for each of them: what a person changes holds from the next tool on. */
export class PolicyRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** One statement. Throws for a session that is not there: nothing can be decided for it. */
  async readInForce(
    sessionId: string,
    author: { userId: string; identityClass: IdentityClass },
  ): Promise<PolicyInForce> {
    const { rows } = await this.database.pool.query<InForceRow>({
      name: 'read_policy_and_people',
      text: `SELECT p.strict, p.auto_approve_at IS NOT NULL AS auto_approve, p.auto_approve_by_id,
        p.auto_approve_by_name, s.owner_id, s.visibility, access.role,
          coalesce((SELECT json_agg(r) FROM (
            SELECT tool, pattern, effect, json_build_object('userId', created_by_id, 'name', created_by_name) AS by
              FROM project_rule WHERE project_id = p.id
            UNION ALL SELECT tool, pattern, 'allow', json_build_object('userId', created_by_id, 'name',
              created_by_name) FROM session_rule WHERE session_id = s.id
          ) r), '[]') AS rules
        FROM session s JOIN project p ON p.id = s.project_id LEFT JOIN ${PROJECT_ACCESS} access
          ON access.project_id = s.project_id AND access.user_id = $2
        WHERE s.id = $1`,
      values: [sessionId, author.userId],
    });
    const [row] = rows;
    if (!row) throw new Error(`there is no session ${sessionId}`);
    const { strict, auto_approve: autoApprove, rules, role, visibility } = row;
    const authorMayAnswer = mayAnswerIn({
      role,
      visibility,
      identityClass: author.identityClass,
      ownsSession: row.owner_id === author.userId,
    });
    const autoApproveBy =
      row.auto_approve_by_id === null ? null : { userId: row.auto_approve_by_id, name: row.auto_approve_by_name ?? '' };
    return { strict, autoApprove, autoApproveBy, rules, authorMayAnswer };
  }
}
