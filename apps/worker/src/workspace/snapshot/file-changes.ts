import type { WorkspaceDiff } from '@chirality/contracts';

export type ChangedFile = WorkspaceDiff['files'][number];

/** What changed between two states of a workspace's files. `patch` is a unified diff, cut at a line. */
export interface FileChanges {
  files: ChangedFile[];
  additions: number;
  deletions: number;
  patch: string;
  /** The list or the patch is not whole. */
  truncated: boolean;
}

export const NO_CHANGES: FileChanges = { files: [], additions: 0, deletions: 0, patch: '', truncated: false };

const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
  U: 'unmerged',
};

const NUL = 0;

/**
 * Reads what git prints for `--raw --numstat -z --patch`: NUL-separated records of status and of line counts, an empty
 * record, then the patch. Output that was cut anywhere gives what is complete. Binary files count no lines.
 */
export function parseFileChanges(output: Buffer, limits: { files: number; patchBytes: number; outputCut: boolean }): FileChanges {
  const reader = new RecordReader(output);
  const statuses = readStatuses(reader);
  const counts = readCounts(reader);
  const files = statuses.flatMap(({ path, status }) => {
    const lines = counts.get(path);
    return lines ? [{ path, status, ...lines }] : [];
  });
  const patch = cutAtLine(reader.rest(), limits.patchBytes);
  return {
    files: files.slice(0, limits.files),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    patch: patch.text,
    truncated: limits.outputCut || patch.cut || files.length > limits.files,
  };
}

class RecordReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** The next record if it is complete and `accept` says that it belongs to what is being read. */
  next(accept: (record: string) => boolean = () => true): string | null {
    const end = this.bytes.indexOf(NUL, this.at);
    if (end < 0) return null;
    const record = this.bytes.toString('utf8', this.at, end);
    if (!accept(record)) return null;
    this.at = end + 1;
    return record;
  }

  /** What follows the empty record that ends the lists; nothing when the output was cut before it. */
  rest(): Buffer {
    return this.next((record) => record === '') === null ? Buffer.alloc(0) : this.bytes.subarray(this.at);
  }
}

function readStatuses(reader: RecordReader): { path: string; status: string }[] {
  const statuses: { path: string; status: string }[] = [];
  for (let header = reader.next(isRaw); header !== null; header = reader.next(isRaw)) {
    const letter = /\s([A-Z])\d*$/.exec(header)?.[1] ?? 'M';
    const first = reader.next();
    const path = letter === 'R' || letter === 'C' ? reader.next() : first;
    if (path !== null) statuses.push({ path, status: STATUS_WORDS[letter] ?? letter });
  }
  return statuses;
}

function readCounts(reader: RecordReader): Map<string, { additions: number; deletions: number }> {
  const counts = new Map<string, { additions: number; deletions: number }>();
  for (let record = reader.next(isCount); record !== null; record = reader.next(isCount)) {
    const [, added = '-', deleted = '-', name = ''] = COUNT.exec(record) ?? [];
    // A rename leaves the name empty and says both names in records of their own.
    const path = name === '' ? (reader.next(), reader.next()) : name;
    if (path !== null) counts.set(path, { additions: Number(added) || 0, deletions: Number(deleted) || 0 });
  }
  return counts;
}

const COUNT = /^(\d+|-)\t(\d+|-)\t([^]*)$/;
const isRaw = (record: string) => /^:\d{6} \d{6} /.test(record);
const isCount = (record: string) => COUNT.test(record);

function cutAtLine(bytes: Buffer, limitBytes: number): { text: string; cut: boolean } {
  if (bytes.length <= limitBytes) return { text: bytes.toString('utf8'), cut: false };
  const end = bytes.lastIndexOf('\n', limitBytes - 1);
  return { text: bytes.toString('utf8', 0, end + 1), cut: true };
}
