import type { WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { ActContext } from '../act/act-context';
import { FIND_FILES, FIND_PROJECT_FILES } from './find-scripts';
import { FoundEntries } from './found-entries';
import { timeOf } from '../history/list-commits';
import { FirstRecord, mountsOf, type ProjectActContext } from './project-files';
import { pathBytes } from '../script/path-text';
import { parseWorkspacePath } from '../act/workspace-path';

/** A person types on meanwhile: what was found until then is answered, and that there may be more. */
const SEARCH_MS = 3_000;

/**
 * What is in a directory or below it and has `find` in its name; with a slash, in its path. Links are named, not
 * followed.
 */
export async function findFiles(
  { scripts, workspace, timeoutMs }: ActContext,
  path: string,
  find: string,
): Promise<WorkspaceReply> {
  const directory = parseWorkspacePath(path);
  const found = new FoundEntries(directory, wellFormed(find));
  const script = {
    text: FIND_FILES,
    args: [pathBytes(directory), ...testOf(directory, find)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true },
    timeoutMs: Math.min(timeoutMs, SEARCH_MS),
  };
  const { complete } = await scripts.scan(script, (chunk) => found.push(chunk));
  return { act: 'list-files', list: found.result(complete) };
}

/** The same in the commit that a project's sessions start from. */
export async function findProjectFiles(
  { scripts, repository, timeoutMs }: ProjectActContext,
  path: string,
  find: string,
): Promise<WorkspaceReply> {
  const { baseCommit } = repository;
  const directory = parseWorkspacePath(path);
  const found = new FoundEntries(directory, wellFormed(find));
  const start = new FirstRecord();
  const script = {
    text: FIND_PROJECT_FILES,
    args: [baseCommit, pathBytes(directory), pathBytes(lastName(find))],
    mounts: mountsOf(repository),
    timeoutMs: Math.min(timeoutMs, SEARCH_MS),
  };
  const { complete } = await scripts.scan(script, (chunk) => found.push(start.pass(chunk)));
  if (start.text === null) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The search took too long. Try again.');
  return {
    act: 'list-project-files',
    list: { ...found.result(complete), commit: { commit: baseCommit, at: timeOf(start.text) } },
  };
}

/**
 * The test by which the program `find` looks for a part of a name or, with a slash in it, of a path. The directory's
 * own path may be the part's beginning, so what is looked for there is the rest, and more is printed than fits.
 */
function testOf(directory: string, part: string): [string, Buffer] {
  const pattern = (text: string) => pathBytes(`*${text.replace(/[*?[\]\\]/g, String.raw`\$&`)}*`);
  if (!part.includes('/')) return ['-iname', pattern(part)];
  return ['-ipath', pattern(directory === '' ? part : lastName(part))];
}

/**
 * What stands behind the last slash: whatever the directory, a path with the part in it has that below the directory.
 */
function lastName(part: string): string {
  return part.slice(part.lastIndexOf('/') + 1);
}

function wellFormed(find: string): string {
  if (pathBytes(find).includes(0))
    throw new ProblemError('VALIDATION_FAILED', 'The search text contains a NUL character.');
  return find;
}
