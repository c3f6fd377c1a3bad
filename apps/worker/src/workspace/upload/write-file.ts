import type { WorkspaceReply } from '@chirality/contracts';
import { ProblemError, type BlobStore } from '@chirality/platform';
import type { ActContext } from '../act/act-context';
import { parseFilePath } from '../browse/read-file';
import { pathBytes } from '../script/path-text';
import { ScriptFailure } from '../script/script-failure';
import { SCRIPT_EXIT } from '../script/script-prelude';
import { WRITE_FILE } from './write-script';

interface FileOrder {
  path: string;
  /** Where its bytes are in the store. */
  key: string;
  bytes: number;
  /** What is there now: an etag, or null for nothing; undefined replaces whatever it is. */
  expected?: string | null | undefined;
}

/**
 * Puts a file into a workspace, whole or not at all. Takes the workspace's lock: throws TURN_IN_PROGRESS while a
 * process of a turn holds it; FILE_EXISTS and FILE_CHANGED where what is there is not what was expected; and
 * VALIDATION_FAILED where no file can be of that path.
 */
export async function writeFile(
  { scripts, workspace, timeoutMs }: ActContext,
  blobs: BlobStore,
  { path, key, bytes, expected }: FileOrder,
): Promise<WorkspaceReply> {
  const file = parseFilePath(path);
  const content = await blobs.get(key);
  if (!content) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The file did not arrive. Send it again.');
  const precondition = expected === undefined ? ['any'] : expected === null ? ['none'] : ['etag', expected];
  const script = {
    text: WRITE_FILE,
    args: [pathBytes(file), String(bytes), ...precondition],
    mounts: { workspace: workspace.workspace, lockFile: workspace.lockFile },
    timeoutMs,
  };
  const printed = await scripts.feed(script, content).catch((error: unknown) => {
    throw refusalOf(error) ?? error;
  });
  const [size = '', etag = ''] = printed.split('\n');
  return { act: 'write-file', file: { path: file, size: Number(size), etag } };
}

function refusalOf(error: unknown): ProblemError | null {
  if (!(error instanceof ScriptFailure)) return null;
  if (error.code === SCRIPT_EXIT.exists)
    return new ProblemError(
      'FILE_EXISTS',
      'A file of this name exists already. Replace it (If-Match), or choose another name.',
    );
  if (error.code === SCRIPT_EXIT.changed)
    return new ProblemError(
      'FILE_CHANGED',
      'The file changed after you opened it. Look at it as it is now, then replace it or choose another name.',
    );
  return null;
}
