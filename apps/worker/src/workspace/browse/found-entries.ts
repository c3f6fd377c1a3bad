import type { FileEntry, FileList } from '@chirality/contracts';
import { RecordReader } from '../snapshot/change-records';
import { fitEntries, REPLY_LIMIT_BYTES } from '../act/reply-budget';

const MAX_FOUND = 200;
const ENVELOPE_BYTES = 2_048;
/** No call opens a longer one. */
const MAX_PATH_BYTES = 4_096;
/** The script's record for entries that could not be read. */
const UNREADABLE = '!';
const KINDS: Readonly<Record<string, FileEntry['kind']>> = { f: 'file', d: 'directory', l: 'symlink' };

/**
 * What a search found, taken from a script that prints `type/size/path` and NUL for each entry, in any order. Counts
 * every entry that fits, and keeps those that are the least deep: what a person looks for is rarely far down.
 */
export class FoundEntries {
  private readonly records = new RecordReader();
  private readonly wanted: string;
  private entries: FileEntry[] = [];
  private total = 0;
  private isCut = false;

  constructor(
    private readonly directory: string,
    find: string,
  ) {
    this.wanted = find.toLowerCase();
  }

  push(chunk: Buffer): boolean {
    this.records.push(chunk);
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      this.records.drop(1);
      this.add(record);
    }
    return false;
  }

  result(complete: boolean): FileList {
    this.keepFirst();
    const data = fitEntries(this.entries, REPLY_LIMIT_BYTES - ENVELOPE_BYTES).entries;
    return {
      data,
      nextCursor: null,
      total: this.total,
      left: this.total - data.length,
      atLeast: !complete || this.isCut,
    };
  }

  private add(record: string): void {
    if (record === UNREADABLE) {
      this.isCut = true;
      return;
    }
    const [, type = '', size = '', below = ''] = /^([^/]*)\/([^/]*)\/([^]*)$/.exec(record) ?? [];
    const path = this.directory === '' ? below : `${this.directory}/${below}`;
    if (!this.fits(path)) return;
    const kind = KINDS[type] ?? 'other';
    this.total += 1;
    if (Buffer.byteLength(path) > MAX_PATH_BYTES) return;
    this.entries.push({ path, kind, size: kind === 'file' ? Number(size) : 0 });
    if (this.entries.length >= 2 * MAX_FOUND) this.keepFirst();
  }

  private fits(path: string): boolean {
    const text = this.wanted.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
    return text.toLowerCase().includes(this.wanted);
  }

  private keepFirst(): void {
    this.entries = this.entries
      .map((entry) => ({ entry, depth: entry.path.split('/').length }))
      .toSorted((a, b) => a.depth - b.depth || (a.entry.path < b.entry.path ? -1 : 1))
      .slice(0, MAX_FOUND)
      .map(({ entry }) => entry);
  }
}
