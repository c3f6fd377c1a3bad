import type { Principal, ProjectRef } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { projectPolicy } from '../access/project.policy';

type PersonaRef = { teamId: string };
const teamOf = ({ teamId }: PersonaRef) => ({ id: teamId });

export const personaPolicy = {
  /** Every member of the team reads its personas, deleted ones too. */
  read: (who: Principal, persona: PersonaRef) => teamPolicy.read(who, teamOf(persona)),
  /** Owners and admins write them. */
  edit: (who: Principal, persona: PersonaRef) => teamPolicy.manage(who, teamOf(persona)),
  /** Who manages the project lets its persona do what it asks for. */
  approve: (who: Principal, project: ProjectRef) => projectPolicy.manage(who, project),
};
