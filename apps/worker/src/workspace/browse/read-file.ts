import type { FileContent, WorkspaceReply } from '@chirality/contracts';
import type { ActContext } from '../act/act-context';
import { READ_FILE } from '../act/act-scripts';
import { encodeContent } from '../act/file-text';
import { jsonBytes, REPLY_LIMIT_BYTES } from '../act/reply-budget';
import { notFound, parseWorkspacePath } from '../act/workspace-path';

const ENVELOPE_BYTES = 1_024;

/** As much as a script that prints a file may print: its size, a line end, and as many bytes as a reply could hold. */
export const READ_OUTPUT_BYTES = REPLY_LIMIT_BYTES + 64;

/**
 * The beginning of one plain file, as much as a reply holds. Links are followed within the workspace, never out of it.
 */
export async function readFile({ scripts, workspace, timeoutMs }: ActContext, path: string): Promise<WorkspaceReply> {
  const file = parseFilePath(path);
  const { stdout } = await scripts.run({
    text: READ_FILE,
    args: [file, String(REPLY_LIMIT_BYTES)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs,
    maxOutputBytes: READ_OUTPUT_BYTES,
  });
  return { act: 'read-file', file: contentOf(file, stdout) };
}

/** A path as `parseWorkspacePath` takes it, which is not the root. */
export function parseFilePath(path: string): string {
  const file = parseWorkspacePath(path);
  if (file === '') throw notFound();
  return file;
}

/** What a script printed of a file: its size and a line end, then its first bytes. */
export function contentOf(path: string, printed: Buffer): FileContent {
  const line = printed.indexOf('\n');
  const size = Number(printed.toString('utf8', 0, line));
  const bytes = printed.subarray(line + 1);
  const limitBytes = REPLY_LIMIT_BYTES - ENVELOPE_BYTES - jsonBytes(path);
  return { path, size, ...encodeContent(bytes, bytes.length >= REPLY_LIMIT_BYTES, limitBytes) };
}
