import type { PushProposal } from '@chirality/contracts';
import { readFields, readList, readText } from './read-payload';

/** A proposed push as an event says it; null where it says none. */
export function readProposal(value: unknown): PushProposal | null {
  if (value === undefined || value === null) return null;
  const { remote, branch, commit, commits, commitCount, uncommitted, uncommittedCount, ...more } = readFields(value);
  const { title, body, base, draft } = readFields(more.pullRequest);
  return {
    remote: readText(remote),
    branch: readText(branch),
    commit: readText(commit),
    commits: readList(commits)
      .map(readFields)
      .map((one) => ({ commit: readText(one.commit), subject: readText(one.subject) })),
    commitCount: Number(commitCount) || 0,
    uncommitted: readList(uncommitted).map(readText),
    uncommittedCount: Number(uncommittedCount) || 0,
    pullRequest: { title: readText(title), body: readText(body), base: readText(base), draft: draft === true },
    opensPullRequest: more.opensPullRequest === true,
  };
}
