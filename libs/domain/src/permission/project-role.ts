import type { ProjectRole, ProjectVisibility, Role } from '@chirality/contracts';

/** A person's place in a project. `team` is null outside its team, `member` where the project does not name them. */
type ProjectPlace = { team: Role | null; visibility: ProjectVisibility; member: ProjectRole | null };

/**
 * What a person may do in a project; null for those to whom it does not exist. The team's owners and admins manage all
 * of its projects, a viewer of the team only reads, and for everyone else counts the role that the project gives them;
 * a project of the team gives each of its members the right to write.
 */
export function projectRoleOf({ team, visibility, member }: ProjectPlace): ProjectRole | null {
  if (team === null) return null;
  if (team === 'owner' || team === 'admin') return 'manage';
  const role = member ?? (visibility === 'team' ? 'write' : null);
  return role !== null && team === 'viewer' ? 'read' : role;
}
