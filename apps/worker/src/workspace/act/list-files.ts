import type { FileEntry, WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { RecordReader } from '../snapshot/change-records';
import type { ActContext } from './act-context';
import { LIST_FILES } from './act-scripts';
import { jsonBytes, REPLY_LIMIT_BYTES } from './reply-budget';
import { parseWorkspacePath } from './workspace-path';

const PAGE_ENTRIES = 500;
const ENVELOPE_BYTES = 2_048;
const CURSOR = /^[01]\/[^/]{1,255}$/;

const KINDS: Readonly<Record<string, FileEntry['kind']>> = { f: 'file', d: 'directory', l: 'symlink' };

/**
 * A page of the entries of one directory: directories first, then by the bytes of the name; `.git` is not shown. Links
 * are named, not followed. A page begins after the name that the cursor holds, whether that is still there or not.
 */
export async function listFiles({ scripts, workspace, timeoutMs }: ActContext, path: string, cursor?: string): Promise<WorkspaceReply> {
  const directory = parseWorkspacePath(path);
  if (cursor !== undefined && !CURSOR.test(cursor)) throw new ProblemError('VALIDATION_FAILED', 'The cursor is not one that a list has answered. Start again without it.');
  const page = new PageOfEntries(directory, cursor);
  const script = { text: LIST_FILES, args: [directory], mounts: { workspace: workspace.workspace, workspaceReadOnly: true }, timeoutMs };
  const { complete } = await scripts.scan(script, (chunk) => page.push(chunk));
  if (!complete) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The directory could not be listed in time. Try again.');
  return { act: 'list-files', list: page.result() };
}

/** Counts every entry, and keeps those of the page. */
class PageOfEntries {
  private readonly records = new RecordReader();
  private readonly entries: FileEntry[] = [];
  private bytes = ENVELOPE_BYTES;
  private last = '';
  private total = 0;
  private left = 0;

  constructor(
    private readonly directory: string,
    private readonly cursor: string | undefined,
  ) {}

  push(chunk: Buffer): boolean {
    this.records.push(chunk);
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      this.records.skip(1);
      this.total += 1;
      this.add(record);
    }
    return false;
  }

  result() {
    return { data: this.entries, nextCursor: this.left > 0 ? this.last : null, total: this.total, left: this.left };
  }

  /** `group/name/type/size`: a name holds no slash. */
  private add(record: string): void {
    const [group = '', name = '', type = '', size = '0'] = record.split('/');
    const key = `${group}/${name}`;
    if (this.cursor !== undefined && Buffer.compare(Buffer.from(key), Buffer.from(this.cursor)) <= 0) return;
    const kind = KINDS[type] ?? 'other';
    const entry: FileEntry = { path: this.directory === '' ? name : `${this.directory}/${name}`, kind, size: kind === 'file' ? Number(size) : 0 };
    const bytes = this.bytes + jsonBytes(entry) + 1;
    if (this.left > 0 || this.entries.length >= PAGE_ENTRIES || bytes > REPLY_LIMIT_BYTES) {
      this.left += 1;
      return;
    }
    this.bytes = bytes;
    this.last = key;
    this.entries.push(entry);
  }
}
