import { reaches, roleInProject, type Principal, type ProjectRef } from './principal';

const manages = (who: Principal, project: ProjectRef) =>
  who.identityClass === 'human' && roleInProject(who, project) === 'manage';
const contributes = (who: Principal, project: ProjectRef) =>
  ['manage', 'write'].includes(roleInProject(who, project) ?? '');

export const projectPolicy = {
  /** Every member of the team sees its projects, but for those that are only their members'. */
  read: (who: Principal, project: ProjectRef) => reaches(who, project.id) && roleInProject(who, project) !== null,
  /** Who may write in it works in it and renames it. */
  contribute: contributes,
  /** Who manages it, in person, sees by name who else is in it. */
  listMembers: (who: Principal, project: ProjectRef) =>
    who.identityClass === 'human' && roleInProject(who, project) !== null,
  /**
   * Who manages it, as the team's owners and admins do, says what its sessions start from, what is allowed in them,
   * what its sandboxes reach and are given, and who is in it.
   */
  manage: manages,
  /** Who made it, while they may write in it, and who manages it archive it. */
  archive: (who: Principal, project: ProjectRef & { createdById: string }) =>
    manages(who, project) || (project.createdById === who.user.id && contributes(who, project)),
};
