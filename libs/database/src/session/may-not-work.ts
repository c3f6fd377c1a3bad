import { PROJECT_ACCESS } from '../project/project-access.sql';

/**
 * Whether that person may not send turns in that session as of now: `mayWorkIn` of the domain, in SQL, for looking
 * through many at once. `session` is the alias of a row of `session`, `userId` an expression.
 */
export function mayNotWorkSql(session: string, userId: string): string {
  const works = `SELECT 1 FROM ${PROJECT_ACCESS} working WHERE working.project_id = ${session}.project_id
    AND working.user_id = ${userId} AND working.role IN ('manage', 'write')`;
  return `(NOT EXISTS (${works}) OR (${session}.owner_id <> ${userId} AND ${session}.visibility <> 'project'))`;
}
