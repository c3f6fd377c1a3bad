/**
 * Whether that person may not send turns in that session as of now: `mayWorkIn` of the domain, in SQL, for looking through
 * many at once. `session` is the alias of a row of `session`, `userId` an expression.
 */
export function mayNotWorkSql(session: string, userId: string): string {
  const works = `SELECT 1 FROM membership working WHERE working.team_id = ${session}.team_id AND working.user_id = ${userId} AND working.role <> 'viewer'`;
  return `(NOT EXISTS (${works}) OR (${session}.owner_id <> ${userId} AND ${session}.visibility <> 'project'))`;
}
