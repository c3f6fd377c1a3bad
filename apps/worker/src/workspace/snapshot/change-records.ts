import { pathText } from '../script/path-text';

const NUL = 0;
const NOTHING = Buffer.alloc(0);

/** NUL-terminated records of a stream, read as they become complete. */
export class RecordReader {
  private bytes: Buffer = NOTHING;
  private at = 0;

  push(chunk: Buffer): void {
    this.bytes = this.at === this.bytes.length ? chunk : Buffer.concat([this.bytes.subarray(this.at), chunk]);
    this.at = 0;
  }

  /**
   * The record that comes after `ahead` others, without taking it, with paths as `pathText` writes them; null while
   * it is not complete.
   */
  peek(ahead = 0): string | null {
    const bytes = this.peekBytes(ahead);
    return bytes === null ? null : pathText(bytes);
  }

  /** The same as bytes: a name need not be UTF-8. */
  peekBytes(ahead = 0): Buffer | null {
    let start = this.at;
    for (let left = ahead; ; left -= 1) {
      const end = this.bytes.indexOf(NUL, start);
      if (end < 0) return null;
      if (left === 0) return this.bytes.subarray(start, end);
      start = end + 1;
    }
  }

  /** Takes records that `peek` has shown to be complete. */
  drop(records: number): void {
    for (let left = records; left > 0; left -= 1) this.at = this.bytes.indexOf(NUL, this.at) + 1;
  }

  /** Takes everything that has not been read. */
  rest(): Buffer {
    const rest = this.bytes.subarray(this.at);
    this.bytes = NOTHING;
    this.at = 0;
    return rest;
  }
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
  U: 'unmerged',
};

const RAW = /^:\d{6} \d{6} /;
/** Lines added and deleted, `-` for a binary file, and the name; of a rename the name is empty. */
export const CHANGE_COUNT = /^(\d+|-)\t(\d+|-)\t([^]*)$/;
export const isRawChange = (record: string): boolean => RAW.test(record);
export const isChangeCount = (record: string): boolean => CHANGE_COUNT.test(record);

type RawChange = { path: string; oldPath: string | null; status: string };

/** Takes one `--raw -z` change. Null when the next record belongs to something else. */
export function readRawChange(records: RecordReader): RawChange | 'incomplete' | null {
  const header = records.peek();
  if (header === null) return 'incomplete';
  if (!isRawChange(header)) return null;
  const letter = /\s([A-Z])\d*$/.exec(header)?.[1] ?? 'M';
  const hasTwoNames = letter === 'R' || letter === 'C';
  const first = records.peek(1);
  const path = hasTwoNames ? records.peek(2) : first;
  if (first === null || path === null) return 'incomplete';
  records.drop(hasTwoNames ? 3 : 2);
  return { path, oldPath: hasTwoNames ? first : null, status: STATUS_WORDS[letter] ?? letter };
}
