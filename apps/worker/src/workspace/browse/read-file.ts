import type { FileContent, WorkspaceReply } from '@chirality/contracts';
import type { ActContext } from '../act/act-context';
import { READ_FILE } from '../act/act-scripts';
import { encodeContent } from '../act/file-text';
import { jsonBytes, REPLY_LIMIT_BYTES } from '../act/reply-budget';
import { pathBytes } from '../script/path-text';
import { notFound, parseWorkspacePath } from '../act/workspace-path';

const ENVELOPE_BYTES = 1_024;

/** As much as a script that prints a file may print: what it says of it, and as many bytes as a reply could hold. */
export const READ_OUTPUT_BYTES = REPLY_LIMIT_BYTES + 200;

/**
 * The beginning of one plain file, as much as a reply holds. Links are followed within the workspace, never out of it.
 */
export async function readFile({ scripts, workspace, timeoutMs }: ActContext, path: string): Promise<WorkspaceReply> {
  const file = parseFilePath(path);
  const { stdout } = await scripts.run({
    text: READ_FILE,
    args: [pathBytes(file), String(REPLY_LIMIT_BYTES)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs,
    maxOutputBytes: READ_OUTPUT_BYTES,
  });
  const { line: size, rest } = firstLine(stdout);
  const { line: etag, rest: bytes } = firstLine(rest);
  return { act: 'read-file', file: { ...contentOf(file, Number(size), bytes), etag } };
}

/** A path as `parseWorkspacePath` takes it, which is not the root. */
export function parseFilePath(path: string): string {
  const file = parseWorkspacePath(path);
  if (file === '') throw notFound();
  return file;
}

/** A file of that size as a reply has it, with as many of its first bytes as fit. */
export function contentOf(path: string, size: number, bytes: Buffer): FileContent {
  const limitBytes = REPLY_LIMIT_BYTES - ENVELOPE_BYTES - jsonBytes(path);
  return { path, size, ...encodeContent(bytes, bytes.length >= REPLY_LIMIT_BYTES, limitBytes) };
}

/** What a script printed before its first line end, and all after it. */
export function firstLine(printed: Buffer): { line: string; rest: Buffer } {
  const end = printed.indexOf('\n');
  return { line: printed.toString('utf8', 0, end), rest: printed.subarray(end + 1) };
}
