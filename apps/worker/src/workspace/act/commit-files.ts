import { ProblemError } from '@chirality/platform';
import { gitAuthorEnvironment, type GitPerson } from '../git-author';
import type { ActContext } from './act-context';
import { COMMIT } from './act-scripts';
import { parseWorkspacePath } from './workspace-path';

export interface CommitOrder {
  message: string;
  author: GitPerson;
  /** Only these; without it everything that is not ignored. */
  paths?: readonly string[] | undefined;
}

const COMMIT_LINE_BYTES = 128;
const LINE_END = 0x0a;

/**
 * Commits as that person, and returns the commit; `onProgress` hears how many files were taken so far. Takes the
 * workspace's lock: throws TURN_IN_PROGRESS while a process of a turn holds it, and ScriptFailure with
 * SCRIPT_EXIT.invalid when there is nothing to commit or git refuses.
 */
export async function commitFiles({ scripts, workspace, timeoutMs }: ActContext, { message, author, paths }: CommitOrder, onProgress: (files: number) => void = () => undefined): Promise<string> {
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
    stdin: `${message}\n\0${(chosen ?? []).map((path) => `${path}\0`).join('')}`,
    mounts: { workspace: workspace.workspace, objects: workspace.objects, lockFile: workspace.lockFile },
    timeoutMs,
  };
  const { complete } = await scripts.scan(script, look);
  // The last line is then one of a file.
  if (!complete) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The commit was not finished in time and was ended. Look at the changes before you try again.');
  return tail.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
}
