import { ProblemError } from '@chirality/platform';
import { gitAuthorEnvironment, type GitPerson } from '../git-author';
import type { ActContext } from '../act/act-context';
import type { ScriptRunner } from '../script/script-runner';
import { ScriptFailure } from '../script/script-failure';
import { CLEAR_LOCKS, COMMIT } from '../act/act-scripts';
import { pathBytes } from '../script/path-text';
import { parseWorkspacePath } from '../act/workspace-path';

interface CommitOrder {
  message: string;
  author: GitPerson;
  /** Only these; without it everything that is not ignored. */
  paths?: readonly string[] | undefined;
}

const COMMIT_LINE_BYTES = 128;
const LINE_END = 0x0a;
const CLEARING_TIMEOUT_MS = 10_000;

/**
 * Commits as that person, and returns the commit; `onProgress` hears how many files were taken so far. Takes the
 * workspace's lock: throws TURN_IN_PROGRESS while a process of a turn holds it, ScriptFailure with SCRIPT_EXIT.invalid
 * when there is nothing to commit and with SCRIPT_EXIT.halfway when git refuses, and WORKSPACE_UNAVAILABLE when the
 * time is up. What git locked is free afterwards.
 */
export async function commitFiles(
  { scripts, workspace, timeoutMs }: ActContext,
  { message, author, paths }: CommitOrder,
  onProgress: (files: number) => void = () => undefined,
): Promise<string> {
  const { GIT_AUTHOR_NAME: name = '', GIT_AUTHOR_EMAIL: email = '' } = gitAuthorEnvironment(author);
  const chosen = paths?.map(parseWorkspacePath);
  let files = 0;
  let tail = Buffer.alloc(0);
  const look = (chunk: Buffer): boolean => {
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) files += 1;
    tail = Buffer.concat([tail, chunk]).subarray(-COMMIT_LINE_BYTES);
    onProgress(files);
    return false;
  };
  const script = {
    text: COMMIT,
    args: [name, email, chosen ? 'chosen' : 'all'],
    stdin: Buffer.concat([Buffer.from(`${message}\n\0`), ...(chosen ?? []).map((path) => pathBytes(`${path}\0`))]),
    mounts: { workspace: workspace.workspace, objects: workspace.objects, lockFile: workspace.lockFile },
    timeoutMs,
  };
  const complete = await scanned(scripts, script, look);
  // The last line is then one of a file.
  if (!complete) throw commitNotFinished();
  return tail.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
}

/** Said also when the time is up before git has begun or after it has ended. */
export function commitNotFinished(): ProblemError {
  return new ProblemError(
    'WORKSPACE_UNAVAILABLE',
    'The commit was not finished in time and was ended. Look at the changes before you try again.',
  );
}

type Scan = Parameters<ScriptRunner['scan']>;

/** A git that was killed could not remove its locks, and the agent's next git would stop at them. */
async function scanned(scripts: ScriptRunner, script: Scan[0], look: Scan[1]): Promise<boolean> {
  let endedItself = false;
  try {
    const { complete } = await scripts.scan(script, look);
    endedItself = complete;
    return complete;
  } catch (error) {
    endedItself = error instanceof ScriptFailure && error.code !== null;
    throw error;
  } finally {
    if (!endedItself) await clearLocks(scripts, script);
  }
}

/** Without success where the workspace's lock is held: then a turn works there, and its end clears them. */
async function clearLocks(scripts: ScriptRunner, { mounts }: Pick<Scan[0], 'mounts'>): Promise<void> {
  const script = { text: CLEAR_LOCKS, mounts, timeoutMs: CLEARING_TIMEOUT_MS, maxOutputBytes: 100 };
  await scripts.run(script).catch(() => undefined);
}
