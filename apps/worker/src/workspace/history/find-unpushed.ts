import { UNPUSHED_COMMITS, UNPUSHED_NAMES, type RecordedWork } from '@chirality/contracts';
import type { ScriptRunner } from '../script/script-runner';
import type { WorkspaceDirectories } from '../snapshot/snapshots';
import { FIND_UNPUSHED } from './unpushed-script';

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_NAME_CHARS = 300;
const MAX_SUBJECT_CHARS = 200;
const FIELDS = 3;

/**
 * What a workspace has that neither a commit nor the project has, right after its files were taken into the worker's
 * view. `bases`: the commits that the project has. Throws where that could not be found out whole.
 */
export async function findUnpushed(
  scripts: Pick<ScriptRunner, 'run'>,
  { workspace, snapshot, objects }: WorkspaceDirectories,
  bases: readonly string[],
): Promise<RecordedWork> {
  const { stdout, truncated } = await scripts.run({
    text: FIND_UNPUSHED,
    args: [bases.join(' '), String(UNPUSHED_NAMES), String(UNPUSHED_COMMITS)],
    mounts: { workspace, workspaceReadOnly: true, snapshot, snapshotReadOnly: true, objects },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (truncated) throw new Error('what the workspace has beyond the project is more than is read');
  return readUnpushed(stdout.toString('utf8'));
}

/** Reads what FIND_UNPUSHED printed. */
function readUnpushed(printed: string): RecordedWork {
  const [files = '', ...rest] = printed.split('\0');
  const end = rest.indexOf('');
  const [commitCount = '', stashes = '', ...fields] = rest.slice(end + 1);
  if (end < 0 || ![files, commitCount, stashes].every((figure) => /^\s*\d+\s*$/.test(figure)))
    throw new Error('what the workspace has beyond the project was not printed whole');
  const commits: RecordedWork['commits'] = [];
  for (let from = 0; from + FIELDS <= fields.length; from += FIELDS) {
    const [commit = '', parents = '', subject = ''] = fields.slice(from, from + FIELDS);
    commits.push({
      commit,
      parents: parents === '' ? [] : parents.split(' '),
      ...(commits.length < UNPUSHED_NAMES && { subject: subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed() }),
    });
  }
  return {
    files: Number(files),
    names: rest.slice(0, end).map((name) => name.slice(0, MAX_NAME_CHARS).toWellFormed()),
    commits,
    commitCount: Number(commitCount),
    stashes: Number(stashes),
  };
}
