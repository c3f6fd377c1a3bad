/**
 * What a person may do in a project, `manage`, `write`, `read` or null: `projectRoleOf` of the domain, in SQL. Aliases
 * of rows: `project`, the person's `membership` of its team, and their `project_member` row, which may be missing.
 */
export function projectRoleSql(project: string, membership: string, member: string): string {
  const given = `coalesce(${member}.role, CASE WHEN ${project}.visibility = 'team' THEN 'write' END)`;
  return `CASE WHEN ${membership}.role IN ('owner', 'admin') THEN 'manage'
    WHEN ${membership}.role = 'viewer' AND ${given} IS NOT NULL THEN 'read'
    WHEN ${membership}.role = 'member' THEN ${given} END`;
}

/**
 * `(project_id, user_id, role)` for each project and each member of its team, as a table for FROM; `role` as above. A
 * service account that no one answers for is suspended: it has none, though it stays a member.
 */
export const PROJECT_ACCESS = `(SELECT accessed.id AS project_id, belonging.user_id,
  ${projectRoleSql('accessed', 'belonging', 'named')} AS role
  FROM project accessed JOIN membership belonging ON belonging.team_id = accessed.team_id
  LEFT JOIN project_member named ON named.project_id = accessed.id AND named.user_id = belonging.user_id
  WHERE NOT EXISTS (SELECT 1 FROM service_account suspended WHERE suspended.user_id = belonging.user_id
    AND suspended.owner_id IS NULL))`;

/** The name of the project of that id, for a reader; of one that is deleted or that the reader does not have, that. */
export function projectNameSql(projectId: string, readerId: string): string {
  return `(SELECT CASE WHEN shown.deleted_at IS NOT NULL THEN 'Deleted project' WHEN EXISTS (SELECT 1 FROM ${PROJECT_ACCESS} access WHERE access.project_id = shown.id
      AND access.user_id = ${readerId} AND access.role IS NOT NULL) THEN shown.name ELSE 'Private project' END
    FROM project shown WHERE shown.id = ${projectId})`;
}
