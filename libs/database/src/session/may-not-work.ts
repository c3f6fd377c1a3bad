import { PROJECT_ACCESS } from '../project/project-access.sql';

/**
 * Whether that person may not send turns in that session as of now: `mayWorkIn` of the domain, in SQL, for looking
 * through many at once; no person may in one that was deleted, as it can be in the moment in which a turn is accepted.
 * `session` is the alias of a row of `session`, `userId` an expression.
 */
export function mayNotWorkSql(session: string, userId: string): string {
  const works = `SELECT 1 FROM ${PROJECT_ACCESS} working WHERE working.project_id = ${session}.project_id
    AND working.user_id = ${userId} AND working.role IN ('manage', 'write')`;
  return `(${session}.deleted_at IS NOT NULL OR NOT EXISTS (${works}) OR (${session}.owner_id <> ${userId} AND ${session}.visibility <> 'project'))`;
}
