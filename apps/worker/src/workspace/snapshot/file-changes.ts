import type { DiffFile } from '@chirality/contracts';
import { CHANGE_COUNT, isChangeCount, isRawChange, readRawChange, RecordReader } from './change-records';
import { pathBytes } from '../script/path-text';
import { PatchSplitter } from './patch-splitter';

export type ChangedFile = DiffFile;

/** What changed between two states of a workspace's files. */
export interface FileChanges {
  /** Of the first files; `fileCount` counts all. */
  files: ChangedFile[];
  fileCount: number;
  additions: number;
  deletions: number;
  /** There are at least so many: git was stopped before it had counted everything. */
  atLeast: boolean;
  /** A unified diff of the listed files whose `patch` is `shown`. */
  patch: string;
  /** Files come after the listed ones. */
  hasMore: boolean;
  /** Not every file is listed, or the patch of a listed file is not shown. */
  truncated: boolean;
}

export interface ChangeLimits {
  /** Of the list. */
  files: number;
  /** Of all names in the list. */
  nameBytes: number;
  /** Of all patches as JSON. */
  patchBytes: number;
  /** Of the patch of one file: a larger one is folded and hides no other. */
  filePatchBytes: number;
  /** List only files that come after this one in git's order. */
  after?: string;
}

export const NO_CHANGES: FileChanges = {
  files: [],
  fileCount: 0,
  additions: 0,
  deletions: 0,
  atLeast: false,
  patch: '',
  hasMore: false,
  truncated: false,
};

/**
 * Reads what git prints for `--raw --numstat -z [--patch]` while it prints it: NUL-separated records of status and of
 * line counts, an empty record, then the patch. Memory is bounded by the limits, whatever the size of the change.
 */
export class ChangesReader {
  private readonly records = new RecordReader();
  private readonly listed = new Map<string, ChangedFile>();
  private nameBytes = 0;
  private fileCount = 0;
  private counted = 0;
  private additions = 0;
  private deletions = 0;
  private isListFull = false;
  private part: 'status' | 'count' | 'patch' = 'status';
  private patches: PatchSplitter | null = null;

  constructor(private readonly limits: ChangeLimits) {}

  /** True when nothing that follows would change the result. */
  push(chunk: Buffer): boolean {
    this.records.push(chunk);
    if (this.part === 'status') this.readStatuses();
    if (this.part === 'count') this.readCounts();
    return this.part === 'patch' && this.readPatches();
  }

  /** `complete`: git came to its end, or `push` said that it had seen enough. */
  finish(complete: boolean): FileChanges {
    this.patches?.end();
    const files = [...this.listed.values()];
    const patches = this.patches?.take() ?? { text: '', sizes: new Map<string, { bytes: number; shown: boolean }>() };
    for (const file of files) {
      const seen = patches.sizes.get(file.path);
      file.patchBytes = seen?.bytes ?? null;
      file.patch = seen?.shown
        ? 'shown'
        : file.binary
          ? 'none'
          : seen || file.additions + file.deletions > 0
            ? 'folded'
            : 'none';
    }
    const atLeast = !complete && !(this.part === 'patch' && this.counted === this.fileCount);
    const isFolded = files.some(({ patch }) => patch === 'folded');
    return {
      files,
      fileCount: this.fileCount,
      additions: this.additions,
      deletions: this.deletions,
      atLeast,
      patch: patches.text,
      hasMore: this.isListFull,
      truncated: atLeast || isFolded || files.length < this.fileCount,
    };
  }

  private readStatuses(): void {
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      if (record !== '' && !isRawChange(record)) return void (this.part = 'count');
      const change = readRawChange(this.records);
      if (change === 'incomplete') return;
      if (change === null) return void (this.part = 'count');
      this.fileCount += 1;
      this.list(change);
    }
  }

  private list({ path, oldPath, status }: { path: string; oldPath: string | null; status: string }): void {
    const { files, nameBytes, after } = this.limits;
    if (after !== undefined && Buffer.compare(pathBytes(path), pathBytes(after)) <= 0) return;
    this.nameBytes += Buffer.byteLength(JSON.stringify([path, oldPath]));
    this.isListFull ||= this.listed.size >= files || this.nameBytes > nameBytes;
    if (this.isListFull) return;
    this.listed.set(path, {
      path,
      ...(oldPath === null ? {} : { oldPath }),
      status,
      additions: 0,
      deletions: 0,
      binary: false,
      patch: 'none',
      patchBytes: null,
    });
  }

  private readCounts(): void {
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      if (!isChangeCount(record)) {
        if (record === '') this.records.drop(1);
        this.part = 'patch';
        return;
      }
      const [, added = '-', deleted = '-', name = ''] = CHANGE_COUNT.exec(record) ?? [];
      // A rename leaves the name empty and gives both names in records that follow.
      const path = name === '' ? this.records.peek(2) : name;
      if (path === null) return;
      this.records.drop(name === '' ? 3 : 1);
      this.count(path, { binary: added === '-', additions: Number(added) || 0, deletions: Number(deleted) || 0 });
    }
  }

  private count(path: string, lines: { binary: boolean; additions: number; deletions: number }): void {
    this.counted += 1;
    this.additions += lines.additions;
    this.deletions += lines.deletions;
    const file = this.listed.get(path);
    if (file) Object.assign(file, lines);
  }

  private readPatches(): boolean {
    this.patches ??= new PatchSplitter([...this.listed.values()], this.limits);
    return this.patches.push(this.records.rest());
  }
}
