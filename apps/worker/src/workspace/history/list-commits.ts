import type { SessionCommit, WorkspaceReply } from '@chirality/contracts';
import { bothBases, comparisonMounts } from './diff-files';
import type { ActContext } from '../act/act-context';
import { LIST_COMMITS } from './diff-scripts';
import { fitEntries, REPLY_LIMIT_BYTES } from '../act/reply-budget';

const PAGE_COMMITS = 50;
const FIELDS = 5;
const ENVELOPE_BYTES = 1_024;

/** A page of the commits that the session made since it began, newest first. `skip` of them come before the page. */
export async function listCommits(context: ActContext, skip: number): Promise<WorkspaceReply> {
  const { stdout } = await context.scripts.run({
    text: LIST_COMMITS,
    args: [bothBases(context), String(skip), String(PAGE_COMMITS)],
    mounts: comparisonMounts(context),
    timeoutMs: context.timeoutMs,
    maxOutputBytes: 4 * REPLY_LIMIT_BYTES,
  });
  const [count = '0', ...fields] = stdout.toString('utf8').split('\0');
  const commits: SessionCommit[] = [];
  for (let from = 0; from + FIELDS <= fields.length; from += FIELDS) {
    const [commit = '', name = '', email = '', at = '', subject = ''] = fields.slice(from, from + FIELDS);
    commits.push({ commit, subject, author: { name, email }, at: timeOf(at) });
  }
  const { entries } = fitEntries(commits, REPLY_LIMIT_BYTES - ENVELOPE_BYTES);
  const total = Number(count);
  const next = skip + entries.length;
  return {
    act: 'list-commits',
    commits: { data: entries, nextCursor: entries.length > 0 && next < total ? String(next) : null, total },
  };
}

/** Who writes a commit may write any date into it, also one that no calendar has: the commit is shown all the same. */
export function timeOf(date: string): string {
  const time = new Date(date);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}
