import type { WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { ActContext } from '../act/act-context';
import { LIST_FILES } from '../act/act-scripts';
import { PageOfEntries } from './page-of-entries';
import { pathBytes } from '../script/path-text';
import { parseWorkspacePath } from '../act/workspace-path';

/**
 * A page of the entries of one directory: directories first, then by the bytes of the name; `.git` is not shown. Links
 * are named, not followed. A page begins after the name that the cursor holds, whether that is still there or not.
 */
export async function listFiles(
  { scripts, workspace, timeoutMs }: ActContext,
  path: string,
  cursor?: string,
): Promise<WorkspaceReply> {
  const directory = parseWorkspacePath(path);
  const page = new PageOfEntries(directory, cursor);
  const script = {
    text: LIST_FILES,
    args: [pathBytes(directory)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs,
  };
  const { complete } = await scripts.scan(script, (chunk) => page.push(chunk));
  if (!complete)
    throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The directory could not be listed in time. Try again.');
  return { act: 'list-files', list: page.result() };
}
