import { gitAuthorEnvironment, type GitPerson } from '../git-author';
import type { ActContext } from './act-context';
import { COMMIT } from './act-scripts';

/**
 * Commits everything in the workspace as that person, and returns the commit. Takes the workspace's lock: throws
 * TURN_IN_PROGRESS while a process of a turn holds it, and ScriptFailure with SCRIPT_EXIT.invalid when there is nothing to commit.
 */
export async function commitFiles({ scripts, workspace, timeoutMs }: ActContext, message: string, author: GitPerson): Promise<string> {
  const { GIT_AUTHOR_NAME: name = '', GIT_AUTHOR_EMAIL: email = '' } = gitAuthorEnvironment(author);
  const { stdout } = await scripts.run({
    text: COMMIT,
    args: [name, email],
    stdin: `${message}\n`,
    mounts: { workspace: workspace.workspace, objects: workspace.objects, lockFile: workspace.lockFile },
    timeoutMs,
    maxOutputBytes: 4_096,
  });
  return stdout.toString('utf8').trim();
}
