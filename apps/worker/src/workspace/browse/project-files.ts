import type { WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { ProjectRepository } from '../project/project.types';
import type { ScriptRunner } from '../script/script-runner';
import { RecordReader } from '../snapshot/change-records';
import { timeOf } from '../history/list-commits';
import { PageOfEntries } from './page-of-entries';
import { LIST_PROJECT_FILES, READ_PROJECT_FILE } from './project-file-scripts';
import { contentOf, firstLine, parseFilePath, READ_OUTPUT_BYTES } from './read-file';
import { REPLY_LIMIT_BYTES } from '../act/reply-budget';
import { pathBytes } from '../script/path-text';
import { parseWorkspacePath } from '../act/workspace-path';

/** What an act on a project works on: its repository on this worker's disk, and the time that is left. */
export interface ProjectActContext {
  scripts: ScriptRunner;
  repository: Pick<ProjectRepository, 'path' | 'baseCommit'>;
  timeoutMs: number;
}

/**
 * A page of one directory of the commit that sessions start from, as `listFiles` gives one of a workspace. Nothing is
 * checked out.
 */
export async function listProjectFiles(
  { scripts, repository, timeoutMs }: ProjectActContext,
  path: string,
  cursor?: string,
): Promise<WorkspaceReply> {
  const { baseCommit } = repository;
  const directory = parseWorkspacePath(path);
  const page = new PageOfEntries(directory, cursor);
  const start = new FirstRecord();
  const script = {
    text: LIST_PROJECT_FILES,
    args: [baseCommit, pathBytes(directory)],
    mounts: mountsOf(repository),
    timeoutMs,
  };
  const { complete } = await scripts.scan(script, (chunk) => page.push(start.pass(chunk)));
  if (!complete)
    throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The directory could not be listed in time. Try again.');
  return {
    act: 'list-project-files',
    list: { ...page.result(), commit: { commit: baseCommit, at: timeOf(start.text ?? '') } },
  };
}

/**
 * The beginning of one file of that commit, as `readFile` gives one of a workspace. Links are followed within the
 * commit's files.
 */
export async function readProjectFile(
  { scripts, repository, timeoutMs }: ProjectActContext,
  path: string,
): Promise<WorkspaceReply> {
  const file = parseFilePath(path);
  const script = {
    text: READ_PROJECT_FILE,
    args: [repository.baseCommit, pathBytes(file), String(REPLY_LIMIT_BYTES)],
    mounts: mountsOf(repository),
    timeoutMs,
  };
  const { stdout } = await scripts.run({ ...script, maxOutputBytes: READ_OUTPUT_BYTES });
  const { line: size, rest: bytes } = firstLine(stdout);
  return { act: 'read-project-file', file: contentOf(file, Number(size), bytes) };
}

/** Where a project's repository is in a script. */
export function mountsOf({ path }: Pick<ProjectRepository, 'path'>) {
  return { workspace: path, workspaceReadOnly: true };
}

/** Takes the first record off a stream and lets the rest pass. */
export class FirstRecord {
  text: string | null = null;
  private readonly records = new RecordReader();

  pass(chunk: Buffer): Buffer {
    if (this.text !== null) return chunk;
    this.records.push(chunk);
    this.text = this.records.peek();
    if (this.text === null) return Buffer.alloc(0);
    this.records.drop(1);
    return this.records.rest();
  }
}
