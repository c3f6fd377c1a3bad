import type { ProjectVisibility, Visibility } from '@chirality/contracts';
import { mayAnswerIn, mayWorkIn } from '@chirality/domain';
import { reachesIn, roleInProject, type Principal, type ProjectRef } from './principal';

type SessionRef = {
  id: string;
  teamId: string;
  projectId: string;
  projectVisibility: ProjectVisibility;
  ownerId: string;
  visibility: Visibility;
};

/** The session's project, for those who decide about that. */
export function projectOf({
  projectId,
  teamId,
  projectVisibility,
}: Omit<SessionRef, 'id' | 'ownerId' | 'visibility'>): ProjectRef {
  return { id: projectId, teamId, visibility: projectVisibility };
}

const owns = (who: Principal, session: SessionRef) => session.ownerId === who.user.id;
const roleOf = (who: Principal, session: SessionRef) => roleInProject(who, projectOf(session));
const ownsAndWorks = (who: Principal, session: SessionRef) =>
  owns(who, session) && ['manage', 'write'].includes(roleOf(who, session) ?? '');

const read = (who: Principal, session: SessionRef) =>
  reachesIn(who, session) && roleOf(who, session) !== null && (owns(who, session) || session.visibility !== 'private');
/** In person: an agent that works in a manager's name has no more than the work. */
const manages = (who: Principal, session: SessionRef) =>
  read(who, session) && who.identityClass === 'human' && roleOf(who, session) === 'manage';
const placeOf = (who: Principal, session: SessionRef) => ({
  role: roleOf(who, session),
  identityClass: who.identityClass,
  ownsSession: owns(who, session),
  visibility: session.visibility,
});

export const sessionPolicy = {
  /**
   * Those who have the project read what is shared with it; a private session is its owner's alone, whatever others'
   * roles.
   */
  read,
  /**
   * Its owner and, where it is shared for writing, everyone who may write in the project send turns, interrupt and
   * commit.
   */
  write: (who: Principal, session: SessionRef) => mayWorkIn(placeOf(who, session)),
  /** Who may write answers permissions, if human. */
  answer: (who: Principal, session: SessionRef) => mayAnswerIn(placeOf(who, session)),
  /**
   * Its owner, while they may write in the project, and of shared ones who manages the project rename, share and
   * archive it.
   */
  manage: (who: Principal, session: SessionRef) => ownsAndWorks(who, session) || manages(who, session),
  /** Unmasked streams are for its owner, while they may write in the project, and of shared ones for who manages it. */
  readRaw: (who: Principal, session: SessionRef) => ownsAndWorks(who, session) || manages(who, session),
};
