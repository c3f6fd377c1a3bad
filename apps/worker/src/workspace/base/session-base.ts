import type { SessionBase } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { gitAuthorEnvironment, type GitPerson } from '../git-author';
import type { ActContext } from '../act/act-context';
import { comparisonMounts } from '../history/diff-files';
import { pathText } from '../script/path-text';
import { ScriptFailure } from '../script/script-failure';
import { BASE_EXIT, BASE_STATE, MERGE_BASE, UNDO_BASE } from './base-scripts';

const MAX_CONFLICTS = 200;
const PRINTED_BYTES = 128 * 1024;

/** The commit that new sessions of the project start from, and its branch. */
export type ProjectBase = { branch: string; baseCommit: string };

/** How far the session is behind its project, and whether a merge waits for someone to finish it. */
export async function readBase(context: ActContext, project: ProjectBase): Promise<SessionBase> {
  const { scripts, workspace, timeoutMs } = context;
  const { stdout } = await scripts.run({
    text: BASE_STATE,
    args: [workspace.baseCommit, project.baseCommit],
    mounts: comparisonMounts(context),
    timeoutMs,
    maxOutputBytes: PRINTED_BYTES,
  });
  const [commit = '', behind = '', ahead = '', merging = '', undo = '', ...rest] = pathText(stdout).split('\0');
  const conflicts = rest.slice(0, -1);
  return {
    commit,
    projectCommit: project.baseCommit,
    branch: project.branch,
    behind: Number(behind),
    ahead: Number(ahead),
    isMerging: merging !== '',
    conflicts: conflicts.slice(0, MAX_CONFLICTS),
    mayUndo: merging !== '' || undo !== '',
  };
}

/**
 * Merges the project's commit into the session's branch, in that person's name. Takes the workspace's lock. Throws
 * GIT_CONFLICT, and changes nothing, when it would overwrite what is not committed.
 */
export async function mergeBase(
  { scripts, workspace, timeoutMs }: ActContext,
  project: ProjectBase,
  person: GitPerson,
): Promise<'up_to_date' | 'merged' | 'conflicts'> {
  const script = {
    text: MERGE_BASE,
    args: [...identityOf(person), project.baseCommit, project.branch, workspace.baseCommit],
    mounts: mountsOf(workspace),
    timeoutMs,
    maxOutputBytes: PRINTED_BYTES,
  };
  try {
    const outcome = (await scripts.run(script)).stdout.toString('utf8').trim();
    return outcome === 'up_to_date' || outcome === 'merged' ? outcome : 'conflicts';
  } catch (error) {
    if (!(error instanceof ScriptFailure) || error.code !== BASE_EXIT.uncommitted) throw error;
    throw new ProblemError(
      'GIT_CONFLICT',
      `The base changes files that have uncommitted changes here: ${error.reason}. Commit them first, then bring in the base.`,
    );
  }
}

/** Undoes the merge as a whole. Returns the session's base as it was before. */
export async function undoBase({ scripts, workspace, timeoutMs }: ActContext, person: GitPerson): Promise<string> {
  const script = {
    text: UNDO_BASE,
    args: identityOf(person),
    mounts: mountsOf(workspace),
    timeoutMs,
    maxOutputBytes: PRINTED_BYTES,
  };
  return (await scripts.run(script)).stdout.toString('utf8').trim();
}

function identityOf(person: GitPerson): string[] {
  const { GIT_AUTHOR_NAME: name = '', GIT_AUTHOR_EMAIL: email = '' } = gitAuthorEnvironment(person);
  return [name, email];
}

function mountsOf({ workspace, objects, lockFile }: ActContext['workspace']) {
  return { workspace, objects, lockFile };
}
