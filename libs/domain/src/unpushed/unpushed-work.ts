import { UNPUSHED_NAMES, type RecordedWork, type UnpushedWork } from '@chirality/contracts';

/** What a session's row says of its work, and which of its commits a remote has. */
export type UnpushedFacts = {
  recorded: RecordedWork | null;
  at: string | null;
  /** Commits that the remote took from the session. */
  pushed: readonly string[];
  /** What may have changed the files since they were recorded; null for nothing. */
  changedBy: 'turn_running' | 'not_stored' | null;
  /** Nothing ever ran or was written in the session. */
  isUntouched: boolean;
};

const NOTHING: Omit<UnpushedWork, 'at'> = {
  state: 'known',
  reason: null,
  files: { count: 0, names: [] },
  commits: { count: 0, atLeast: false, latest: [] },
  stashes: 0,
};

/** What exists only in a session, as far as it is known; what is not known is never guessed. */
export function unpushedWork({ recorded, at, pushed, changedBy, isUntouched }: UnpushedFacts): UnpushedWork {
  if (recorded === null) {
    if (isUntouched && changedBy === null) return { ...NOTHING, at: null };
    const reason = changedBy ?? 'not_recorded';
    return { state: 'unknown', reason, files: null, commits: null, stashes: null, at: null };
  }
  return {
    state: changedBy === null ? 'known' : 'earlier',
    reason: changedBy,
    files: { count: recorded.files, names: recorded.names },
    commits: unpushedCommits(recorded, pushed),
    stashes: recorded.stashes,
    at,
  };
}

/** A commit that was pushed took its ancestors along. */
function unpushedCommits(
  { commits, commitCount }: RecordedWork,
  pushed: readonly string[],
): NonNullable<UnpushedWork['commits']> {
  const parentsOf = new Map(commits.map(({ commit, parents }) => [commit, parents]));
  const there = new Set<string>();
  const toVisit = [...pushed];
  for (let commit = toVisit.pop(); commit !== undefined; commit = toVisit.pop()) {
    const parents = parentsOf.get(commit);
    if (parents === undefined || there.has(commit)) continue;
    there.add(commit);
    toVisit.push(...parents);
  }
  const left = commits.filter(({ commit }) => !there.has(commit));
  const isCut = commitCount > commits.length;
  return {
    // Of older ones than were kept it is not known whether they went along.
    count: isCut && there.size === 0 ? commitCount : left.length,
    atLeast: isCut && there.size > 0,
    latest: left
      .slice(0, UNPUSHED_NAMES)
      .flatMap(({ commit, subject }) => (subject === undefined ? [] : [{ commit, subject }])),
  };
}

/** Whether a person should be asked before the session goes: it has such work, or that is not known. */
export function mayHaveUnpushedWork({ state, files, commits, stashes }: UnpushedWork): boolean {
  return state !== 'known' || (files?.count ?? 0) > 0 || (commits?.count ?? 0) > 0 || (stashes ?? 0) > 0;
}
