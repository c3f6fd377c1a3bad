import type { WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { NO_CHANGES, parseFileChanges } from '../snapshot/file-changes';
import type { ActContext } from './act-context';
import { DIFF_FILES } from './act-scripts';
import { fitEntries, jsonBytes, longestWithin, REPLY_LIMIT_BYTES } from './reply-budget';

const OUTPUT_LIMIT_BYTES = 1024 * 1024;
const FILES_LIMIT = 1_000;
const ENVELOPE_BYTES = 1_024;
/** Names of commits: branches, tags, ids, and steps back from them. */
const REVISION = /^[A-Za-z0-9_][\w./@{}^~+-]{0,199}$/;

/** How the files differ from a commit, files that git does not know yet included, unless they are over 32 MiB. Without `base`: from where the session began. */
export async function diffFiles({ scripts, workspace, timeoutMs }: ActContext, base: string | undefined): Promise<WorkspaceReply> {
  if (base !== undefined && !REVISION.test(base)) throw new ProblemError('VALIDATION_FAILED', 'The base must name a commit, a branch or a tag.');
  const { stdout, truncated } = await scripts.run({
    text: DIFF_FILES,
    args: [base ?? '', workspace.baseCommit, String(OUTPUT_LIMIT_BYTES)],
    mounts: { workspace: workspace.workspace, workspaceReadOnly: true, snapshot: workspace.snapshot, snapshotReadOnly: true, objects: workspace.objects },
    timeoutMs,
    maxOutputBytes: OUTPUT_LIMIT_BYTES + 64,
  });
  const line = stdout.indexOf('\n');
  const difference = stdout.subarray(line + 1);
  const outputCut = truncated || difference.length >= OUTPUT_LIMIT_BYTES;
  const changes = difference.length === 0 ? NO_CHANGES : parseFileChanges(difference, { files: FILES_LIMIT, patchBytes: REPLY_LIMIT_BYTES, outputCut });
  return { act: 'diff', diff: { base: stdout.toString('utf8', 0, line), ...fitted(changes) } };
}

/** The list goes first: a patch without its end is of use, a list without its end misleads. */
function fitted({ files, patch, truncated }: typeof NO_CHANGES) {
  const list = fitEntries(files, (REPLY_LIMIT_BYTES - ENVELOPE_BYTES) / 2);
  const room = REPLY_LIMIT_BYTES - ENVELOPE_BYTES - jsonBytes(list.entries);
  const length = longestWithin(patch.length, room, (characters) => jsonBytes(patch.slice(0, characters)));
  const kept = length < patch.length ? patch.slice(0, patch.lastIndexOf('\n', length - 1) + 1) : patch;
  return { files: list.entries, patch: kept, truncated: truncated || list.cut || kept.length < patch.length };
}
