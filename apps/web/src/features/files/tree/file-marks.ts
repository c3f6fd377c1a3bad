import type { WorkspaceDiff } from '@chirality/contracts';
import { fileName } from './file-name';

/** How a file differs from the last commit. */
export type FileMark = 'added' | 'modified' | 'renamed' | 'deleted' | 'conflict';
export type Marked = { mark: FileMark; oldPath?: string | undefined };
/** What a folder no longer has: a file, or a folder with all of its files. */
export type Gone = { path: string; kind: 'file' | 'directory'; files: number };

type ChangedPages = readonly Pick<WorkspaceDiff, 'files' | 'nextCursor' | 'totals' | 'nested' | 'skipped'>[];

const MARKS: Readonly<Record<string, FileMark>> = {
  added: 'added',
  copied: 'added',
  deleted: 'deleted',
  renamed: 'renamed',
  unmerged: 'conflict',
};

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** The marks of a session's tree, from the pages of its changes that are loaded. */
export class FileMarks {
  private readonly byPath = new Map<string, Marked>();
  private readonly changedFolders = new Set<string>();
  private readonly nested: ReadonlySet<string>;
  /** What the marks leave out, as a sentence; null when every changed file has one. */
  readonly shortfall: string | null;

  constructor(pages: ChangedPages) {
    for (const { path, oldPath, status } of pages.flatMap((page) => page.files)) {
      const mark = MARKS[status] ?? 'modified';
      if (this.byPath.get(path)?.mark !== 'conflict') this.byPath.set(path, { mark, oldPath });
      this.noteFolders(path);
      if (status === 'renamed' && oldPath !== undefined) this.noteFolders(oldPath);
    }
    for (const { path } of pages[0]?.skipped ?? []) {
      this.byPath.set(path, { mark: 'added' });
      this.noteFolders(path);
    }
    this.nested = new Set(pages[0]?.nested);
    this.shortfall = shortfallOf(pages);
  }

  of(path: string): Marked | null {
    return this.byPath.get(path) ?? null;
  }

  hasChangesBelow(folder: string): boolean {
    return this.changedFolders.has(folder);
  }

  /** Whether a folder has its own git repository, or is in one that has: nothing in it is compared. */
  isNotCompared(path: string): boolean {
    return this.nested.size > 0 && [path, ...foldersAbove(path)].some((folder) => this.nested.has(folder));
  }

  /**
   * What was deleted from a folder that still has the entries `kept`. A whole folder only where `kept` is all that
   * there is.
   */
  goneFrom(folder: string, kept: readonly string[], isWhole: boolean): Gone[] {
    const there = new Set(kept);
    const start = folder === '' ? '' : `${folder}/`;
    const gone = new Map<string, Gone>();
    for (const [path, { mark }] of this.byPath) {
      if (mark !== 'deleted' || !path.startsWith(start)) continue;
      const end = path.indexOf('/', start.length);
      const top = end < 0 ? path : path.slice(0, end);
      if (there.has(top) || (end >= 0 && !isWhole)) continue;
      const files = (gone.get(top)?.files ?? 0) + 1;
      gone.set(top, { path: top, kind: end < 0 ? 'file' : 'directory', files });
    }
    return [...gone.values()].toSorted((a, b) =>
      fileName(a.path).localeCompare(fileName(b.path), undefined, { numeric: true }),
    );
  }

  private noteFolders(path: string): void {
    for (const folder of foldersAbove(path)) this.changedFolders.add(folder);
  }
}

function shortfallOf(pages: ChangedPages): string | null {
  const totals = pages[0]?.totals;
  if (totals === undefined) return null;
  const listed = pages.reduce((sum, page) => sum + page.files.length, 0);
  const count = (files: number) => files.toLocaleString('en-US');
  if (pages.at(-1)?.nextCursor != null)
    return `Only the first ${count(listed)} of ${totals.atLeast ? 'at least ' : ''}${count(totals.files)} changed files are marked.`;
  return totals.atLeast ? 'Comparing took too long. More files may be changed than are marked.' : null;
}
