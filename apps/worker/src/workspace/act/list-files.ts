import type { FileEntry, WorkspaceReply } from '@chirality/contracts';
import type { ActContext } from './act-context';
import { LIST_FILES } from './act-scripts';
import { fitEntries, REPLY_LIMIT_BYTES } from './reply-budget';
import { parseWorkspacePath } from './workspace-path';

const ENTRIES_LIMIT = 2_000;
const OUTPUT_LIMIT_BYTES = 1024 * 1024;
const ENVELOPE_BYTES = 1_024;

const KINDS: Readonly<Record<string, FileEntry['kind']>> = { f: 'file', d: 'directory', l: 'symlink' };

/** The entries of one directory, sorted by name; `.git` is not shown. Links are named, not followed. */
export async function listFiles({ scripts, workspace, timeoutMs }: ActContext, path: string): Promise<WorkspaceReply> {
  const directory = parseWorkspacePath(path);
  const { stdout, truncated } = await scripts.run({
    text: LIST_FILES,
    args: [directory, String(ENTRIES_LIMIT + 1)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs,
    maxOutputBytes: OUTPUT_LIMIT_BYTES,
  });
  const found = stdout.toString('utf8').split('\0').slice(0, -1).map((record) => entryOf(directory, record));
  const { entries, cut } = fitEntries(found.slice(0, ENTRIES_LIMIT), REPLY_LIMIT_BYTES - ENVELOPE_BYTES);
  return { act: 'list-files', entries, truncated: truncated || cut || found.length > ENTRIES_LIMIT };
}

/** `name/type/size`: a name holds no slash. */
function entryOf(directory: string, record: string): FileEntry {
  const [name = '', type = '', size = '0'] = record.split('/');
  const kind = KINDS[type] ?? 'other';
  return { path: directory === '' ? name : `${directory}/${name}`, kind, size: kind === 'file' ? Number(size) : 0 };
}
