import type { Visibility } from '@chirality/contracts';
import { mayAnswerIn, mayWorkIn } from '@chirality/domain';
import { roleIn, type Principal } from './principal';
import { teamPolicy } from './team.policy';

type SessionRef = { teamId: string; ownerId: string; visibility: Visibility };

const teamOf = (session: SessionRef) => ({ id: session.teamId });
const owns = (who: Principal, session: SessionRef) => session.ownerId === who.user.id;
const mayWork = (who: Principal, session: SessionRef) => teamPolicy.contribute(who, teamOf(session));

const read = (who: Principal, session: SessionRef) =>
  teamPolicy.read(who, teamOf(session)) && (owns(who, session) || session.visibility !== 'private');
const placeOf = (who: Principal, session: SessionRef) => ({
  role: roleIn(who, session.teamId),
  identityClass: who.identityClass,
  ownsSession: owns(who, session),
  visibility: session.visibility,
});

export const sessionPolicy = {
  /** The team reads what is shared with the project; a private session is its owner's alone, whatever others' roles. */
  read,
  /** Its owner and, where it is shared for writing, everyone but viewers may send turns, interrupt and commit. */
  write: (who: Principal, session: SessionRef) => mayWorkIn(placeOf(who, session)),
  /** Who may write answers permissions, if human. */
  answer: (who: Principal, session: SessionRef) => mayAnswerIn(placeOf(who, session)),
  /** Its owner, while no viewer, and of shared ones the team's owners and admins rename, share and archive it. */
  manage: (who: Principal, session: SessionRef) =>
    (owns(who, session) && mayWork(who, session)) || (read(who, session) && teamPolicy.manage(who, teamOf(session))),
  /** Unmasked streams are for its owner, while no viewer, and of shared ones for the team's owners and admins. */
  readRaw: (who: Principal, session: SessionRef) =>
    (owns(who, session) && mayWork(who, session)) || (read(who, session) && teamPolicy.manage(who, teamOf(session))),
};
