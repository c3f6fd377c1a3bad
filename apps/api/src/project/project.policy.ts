import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';

type ProjectRef = { teamId: string };
const teamOf = (project: ProjectRef) => ({ id: project.teamId });

export const projectPolicy = {
  /** Every member of the team sees its projects. */
  read: (who: Principal, project: ProjectRef) => teamPolicy.read(who, teamOf(project)),
  /** Everyone but viewers works in it and renames it. */
  contribute: (who: Principal, project: ProjectRef) => teamPolicy.contribute(who, teamOf(project)),
  /**
   * Owners and admins say what its sessions start from, what is allowed in them, and what its sandboxes reach and are
   * given.
   */
  manage: (who: Principal, project: ProjectRef) => teamPolicy.manage(who, teamOf(project)),
  /** Who made it, while no viewer, and the team's owners and admins archive it. */
  archive: (who: Principal, project: ProjectRef & { createdById: string }) =>
    teamPolicy.manage(who, teamOf(project)) ||
    (project.createdById === who.user.id && teamPolicy.contribute(who, teamOf(project))),
};
