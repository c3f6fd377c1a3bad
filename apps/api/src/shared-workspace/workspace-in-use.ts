import type { WorkspaceUse as UseSeen } from '@chirality/contracts';
import type { WorkspaceUse } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { sessionPolicy } from '../access/session.policy';

const UNSEEN: UseSeen = { session: null, turnId: null, by: null, since: null };

/** As much of it as that person may see: of a session that is not theirs to read only that one works there. */
export function useSeenBy(who: Principal, { session, turn }: WorkspaceUse): UseSeen {
  if (!sessionPolicy.read(who, session)) return UNSEEN;
  return {
    session: { id: session.id, title: session.title },
    turnId: turn.id,
    by: turn.author,
    since: turn.since.toISOString(),
  };
}

/** Another session works in the files that this one shares: which, who, and since when, where the person may know. */
export function workspaceInUse(who: Principal, use: WorkspaceUse): ProblemError {
  const { session, turnId, by, since } = useSeenBy(who, use);
  if (!session || !by)
    return new ProblemError(
      'WORKSPACE_IN_USE',
      'Another session works in the shared workspace. Try again when its turn has ended.',
    );
  return new ProblemError(
    'WORKSPACE_IN_USE',
    `${by.name} has a turn in progress since ${since} in “${session.title}”, which shares this workspace. Wait until it has ended, or interrupt it there.`,
    { session, turnId, holder: by, since },
  );
}
