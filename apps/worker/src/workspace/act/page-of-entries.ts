import type { FileEntry, FileList } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { RecordReader } from '../snapshot/change-records';
import { jsonBytes, REPLY_LIMIT_BYTES } from './reply-budget';

const PAGE_ENTRIES = 500;
const ENVELOPE_BYTES = 2_048;
const CURSOR = /^[01]\/[^/]{1,255}$/;

const KINDS: Readonly<Record<string, FileEntry['kind']>> = { f: 'file', d: 'directory', l: 'symlink' };

/** One page of a directory, taken from a script that prints `group/name/type/size` and NUL for each entry, in order. Counts every entry, and keeps those of the page. */
export class PageOfEntries {
  private readonly records = new RecordReader();
  private readonly entries: FileEntry[] = [];
  private bytes = ENVELOPE_BYTES;
  private last = '';
  private total = 0;
  private left = 0;

  /** Throws VALIDATION_FAILED when the cursor is none that a page has answered. */
  constructor(
    private readonly directory: string,
    private readonly cursor: string | undefined,
  ) {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw new ProblemError('VALIDATION_FAILED', 'The cursor is not one that a list has answered. Start again without it.');
  }

  push(chunk: Buffer): boolean {
    this.records.push(chunk);
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      this.records.skip(1);
      this.total += 1;
      this.add(record);
    }
    return false;
  }

  result(): FileList {
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
