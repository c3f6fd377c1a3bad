import type { DiffQuery, WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { ChangesReader, type FileChanges } from '../snapshot/file-changes';
import { RecordReader } from '../snapshot/change-records';
import { jsonBytes, REPLY_LIMIT_BYTES } from '../act/reply-budget';
import type { ActContext } from '../act/act-context';
import { DIFF_FILES } from './diff-scripts';
import { whileFilesMove } from '../act/while-files-move';

const PAGE_FILES = 200;
const NAMES_BYTES = 40 * 1024;
const ASIDE_BYTES = 16 * 1024;
const FILE_BYTES = 200;
const FILE_PATCH_BYTES = 32 * 1024;
const ENVELOPE_BYTES = 2_048;
/** Names of commits: branches, tags, ids, and steps back from them. */
const REVISION = /^[A-Za-z0-9_][\w./@{}^~+-]{0,199}$/;

/**
 * A page of how the files differ from a commit, files that git does not know yet included, with the patches that are
 * small. The first page has the totals of all files.
 */
export async function diffFiles(context: ActContext, query: DiffQuery): Promise<WorkspaceReply> {
  return whileFilesMove(async () => {
    const reading = new DiffReading(query.cursor);
    const args = [...comparisonArgs(context, query), query.cursor === undefined ? '--patch' : ''];
    const { complete } = await context.scripts.scan(
      { text: DIFF_FILES, args, mounts: comparisonMounts(context), timeoutMs: context.timeoutMs },
      (chunk) => reading.push(chunk),
    );
    return { act: 'diff', diff: reading.result(complete) };
  });
}

/** The first arguments of every script that compares. */
export function comparisonArgs(
  { workspace }: ActContext,
  { base, scope, commit }: Pick<DiffQuery, 'base' | 'scope' | 'commit'>,
): string[] {
  for (const name of [base, commit])
    if (name !== undefined && !REVISION.test(name))
      throw new ProblemError('VALIDATION_FAILED', 'The base must name a commit, a branch or a tag.');
  return [base ?? '', scope, commit ?? '', bothBases({ workspace })];
}

/** What the scripts take as the session's base: its own and the project's. */
export function bothBases({ workspace }: Pick<ActContext, 'workspace'>): string {
  return `${workspace.baseCommit} ${workspace.projectCommit ?? workspace.baseCommit}`;
}

export function comparisonMounts({ workspace }: ActContext) {
  return {
    workspace: workspace.workspace,
    workspaceReadOnly: true,
    snapshot: workspace.snapshot,
    snapshotReadOnly: true,
    objects: workspace.objects,
  };
}

/** Reads what DIFF_FILES prints. */
class DiffReading {
  private readonly records = new RecordReader();
  private readonly changes: ChangesReader;
  private readonly heads: string[] = [];
  private readonly nested: string[] = [];
  private readonly skipped: { path: string; size: number }[] = [];
  private part: 'heads' | 'nested' | 'skipped' | 'changes' = 'heads';
  private asideBytes = 0;

  constructor(private readonly cursor: string | undefined) {
    const aside = 2 * ASIDE_BYTES + ENVELOPE_BYTES;
    const patchBytes = REPLY_LIMIT_BYTES - aside - NAMES_BYTES - PAGE_FILES * FILE_BYTES;
    this.changes = new ChangesReader({
      files: PAGE_FILES,
      nameBytes: NAMES_BYTES,
      patchBytes,
      filePatchBytes: FILE_PATCH_BYTES,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
  }

  push(chunk: Buffer): boolean {
    if (this.part === 'changes') return this.changes.push(chunk);
    this.records.push(chunk);
    for (let record = this.records.peek(); record !== null; record = this.records.peek()) {
      this.records.drop(1);
      this.read(record);
      if ((this.part as string) === 'changes') return this.changes.push(this.records.rest());
    }
    return false;
  }

  result(complete: boolean) {
    const [base = '', head = '', branch = ''] = this.heads;
    if (this.part !== 'changes')
      throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The files could not be compared in time. Try again.');
    const found = this.changes.finish(complete);
    const { files, patch, fileCount, additions, deletions, atLeast, truncated } = found;
    return {
      base,
      head: head === '' ? null : head,
      branch: branch === '' ? null : branch,
      files,
      nextCursor: this.nextCursor(found),
      totals: { files: fileCount, additions, deletions, atLeast },
      patch,
      truncated: truncated || this.cursor !== undefined,
      nested: this.nested,
      skipped: this.skipped,
    };
  }

  /** Pages end at a name, and only the first one knows how many files there are before it. */
  private nextCursor({ files, hasMore }: FileChanges): string | null {
    return hasMore ? (files.at(-1)?.path ?? null) : null;
  }

  private read(record: string): void {
    if (this.part === 'heads') {
      this.heads.push(record);
      if (this.heads.length === 3) this.part = 'nested';
      return;
    }
    if (record === '') {
      this.part = this.part === 'nested' ? 'skipped' : 'changes';
      this.asideBytes = 0;
      return;
    }
    this.asideBytes += jsonBytes(record) + 20;
    if (this.asideBytes > ASIDE_BYTES) return;
    if (this.part === 'nested') return void this.nested.push(record.replace(/\/$/, ''));
    const slash = record.indexOf('/');
    this.skipped.push({ size: Number(record.slice(0, slash)), path: record.slice(slash + 1).replace(/^\.\//, '') });
  }
}
