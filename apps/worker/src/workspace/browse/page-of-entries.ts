import type { FileEntry, FileList } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { RecordReader } from '../snapshot/change-records';
import { pathText } from '../script/path-text';
import { jsonBytes, REPLY_LIMIT_BYTES } from '../act/reply-budget';

const PAGE_ENTRIES = 500;
const ENVELOPE_BYTES = 2_048;
const SLASH = '/'.charCodeAt(0);
/**
 * A cursor holds a group and a name by their bytes: text would show names that are not UTF-8 in another order, or as
 * one.
 */
const CURSOR_ENCODING = 'base64url';
const KEY = /^[01]\/[^/]+$/;

const KINDS: Readonly<Record<string, FileEntry['kind']>> = { f: 'file', d: 'directory', l: 'symlink' };

/**
 * One page of a directory, taken from a script that prints `group/name/type/size` and NUL for each entry, in order.
 * Counts every entry, and keeps those of the page.
 */
export class PageOfEntries {
  private readonly records = new RecordReader();
  private readonly entries: FileEntry[] = [];
  private bytes = ENVELOPE_BYTES;
  private last: Buffer = Buffer.alloc(0);
  private total = 0;
  private left = 0;
  /** The entry after which the page begins. */
  private readonly after: Buffer | null;

  /** Throws VALIDATION_FAILED when the cursor is none that a page has answered. */
  constructor(
    private readonly directory: string,
    cursor: string | undefined,
  ) {
    this.after = cursor === undefined ? null : keyOf(cursor);
  }

  push(chunk: Buffer): boolean {
    this.records.push(chunk);
    for (let record = this.records.peekBytes(); record !== null; record = this.records.peekBytes()) {
      this.records.drop(1);
      this.total += 1;
      this.add(record);
    }
    return false;
  }

  result(): FileList {
    return {
      data: this.entries,
      nextCursor: this.left > 0 ? this.last.toString(CURSOR_ENCODING) : null,
      total: this.total,
      left: this.left,
    };
  }

  /** `group/name/type/size`: a name holds no slash. */
  private add(record: Buffer): void {
    const key = record.subarray(0, record.indexOf(SLASH, record.indexOf(SLASH) + 1));
    if (this.after !== null && Buffer.compare(key, this.after) <= 0) return;
    const [, name = '', type = '', size = '0'] = pathText(record).split('/');
    const kind = KINDS[type] ?? 'other';
    const entry: FileEntry = {
      path: this.directory === '' ? name : `${this.directory}/${name}`,
      kind,
      size: kind === 'file' ? Number(size) : 0,
    };
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

function keyOf(cursor: string): Buffer {
  const key = Buffer.from(cursor, CURSOR_ENCODING);
  if (!KEY.test(key.toString('latin1')) || key.toString(CURSOR_ENCODING) !== cursor)
    throw new ProblemError('VALIDATION_FAILED', 'The cursor was not returned by a list. Start again without it.');
  return key;
}
