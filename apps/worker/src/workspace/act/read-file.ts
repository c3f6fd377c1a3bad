import type { WorkspaceReply } from '@chirality/contracts';
import type { ActContext } from './act-context';
import { READ_FILE } from './act-scripts';
import { encodeContent } from './file-text';
import { jsonBytes, REPLY_LIMIT_BYTES } from './reply-budget';
import { notFound, parseWorkspacePath } from './workspace-path';

const ENVELOPE_BYTES = 1_024;

/** The beginning of one plain file, as much as a reply holds. Links are followed within the workspace, never out of it. */
export async function readFile({ scripts, workspace, timeoutMs }: ActContext, path: string): Promise<WorkspaceReply> {
  const file = parseWorkspacePath(path);
  if (file === '') throw notFound();
  const { stdout } = await scripts.run({
    text: READ_FILE,
    args: [file, String(REPLY_LIMIT_BYTES)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs,
    maxOutputBytes: REPLY_LIMIT_BYTES + 64,
  });
  const line = stdout.indexOf('\n');
  const size = Number(stdout.toString('utf8', 0, line));
  const bytes = stdout.subarray(line + 1);
  const limitBytes = REPLY_LIMIT_BYTES - ENVELOPE_BYTES - jsonBytes(file);
  return { act: 'read-file', file: { path: file, size, ...encodeContent(bytes, bytes.length >= REPLY_LIMIT_BYTES, limitBytes) } };
}
