import type { UnpushedWork } from '@chirality/contracts';
import { plural } from './count';

const NOT_KNOWN = {
  turn_running: 'its first turn is still running',
  not_stored: 'its files are not stored yet',
  not_recorded: 'it was not recorded yet. Its next turn records it',
} as const;
const SINCE = {
  turn_running: ' A turn is running and may have changed more.',
  not_stored: ' Newer files of it are not stored, so there may be more.',
  not_recorded: '',
} as const;

/** The parts of such work, as `3 changed files`; empty where there is none. */
export function unpushedParts({ files, commits, stashes }: UnpushedWork): string[] {
  const parts = [
    files !== null && files.count > 0 && plural(files.count, 'changed file'),
    commits !== null &&
      commits.count > 0 &&
      `${commits.atLeast ? 'at least ' : ''}${plural(commits.count, 'commit')} not pushed`,
    stashes !== null && stashes > 0 && plural(stashes, 'stash', 'stashes'),
  ];
  return parts.filter((part) => part !== false);
}

/** What exists only in a session; null when nothing does. */
export function unpushedSentence(work: UnpushedWork): string | null {
  const reason = work.reason ?? 'not_recorded';
  if (work.state === 'unknown') return `What exists only in this session is not known: ${NOT_KNOWN[reason]}.`;
  const parts = unpushedParts(work);
  const since = work.state === 'earlier' ? SINCE[reason] : '';
  if (parts.length > 0) return `Only in this session: ${listed(parts)}.${since}`;
  return since === '' ? null : `Nothing existed only in this session when it was last stored.${since}`;
}

function listed(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
