import { branchNameOf } from './branch-name';

type Pushed = { branch: string; commit: string };

/**
 * Where a push of a session goes: to the branch that is named, else the one of its last push, else one that the
 * project's pattern names, which alone may get a number. `lease`: what the remote may have there before it is replaced.
 */
export function pushTargetOf({
  chosen,
  before,
  isForced,
  pattern,
  session,
}: {
  chosen: string | null;
  before: Pushed | null;
  isForced: boolean;
  pattern: string;
  session: { id: string; title: string };
}): { branch: string; isChosen: boolean; lease: string | null } {
  const branch = chosen ?? before?.branch ?? branchNameOf(pattern, session);
  return {
    branch,
    isChosen: chosen !== null || before !== null,
    lease: isForced ? (before?.branch === branch ? before.commit : 'seen') : null,
  };
}
