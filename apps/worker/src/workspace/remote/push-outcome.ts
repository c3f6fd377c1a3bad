import type { GitFailure, PushAnswer } from '@chirality/contracts';
import { createUrlOf } from './create-url';

const SAID_CHARS = 1_000;

type Pushed = { pushed: PushAnswer; isNew: boolean };

/** What PUSH_REMOTE printed: what the remote has now, or why it did not take it. */
export function pushOutcomeOf(printed: string, commit: string, remote: string): Pushed | GitFailure {
  const [first = '', ...rest] = printed.split('\n');
  const [outcome, branch = '', now = ''] = first.split(' ');
  const said = saidBy(rest);
  const createUrl = createUrlOf(remote, branch, said);
  const pushed: PushAnswer = { branch, commit, remote, ...(createUrl === null ? {} : { createUrl }) };
  if (outcome === 'already') return { pushed, isNew: false };
  if (outcome === 'pushed' && now === commit) return { pushed, isNew: true };
  if (outcome === 'pushed')
    return {
      code: 'GIT_PUSH_REJECTED',
      detail: `The remote took the push, and its branch ${branch} has another commit now (${now.slice(0, 10) || 'none'}). Someone may have pushed to it; look there before you push again.`,
    };
  return rejectionOf(branch, rest.join('\n'), said);
}

const REASONS: [RegExp, GitFailure['code'], (branch: string, said: string) => string][] = [
  [
    /protected branch|GH006|not allowed to push|branch \S+ is protected|protected ref/i,
    'GIT_PROTECTED_BRANCH',
    (branch, said) => `The branch ${branch} is protected at the remote. Push to another branch.${quoted(said)}`,
  ],
  [
    /exceeds|GH001|large file|file size|too large|pack size/i,
    'GIT_TOO_LARGE',
    (_branch, said) => `The remote refuses what is this large. Remove large files from the commits.${quoted(said)}`,
  ],
  [
    /stale info/i,
    'GIT_PUSH_REJECTED',
    (branch) =>
      `The remote’s branch ${branch} has commits that this session did not push. Nothing was replaced; look at them, or push to another branch.`,
  ],
  [
    /non-fast-forward|fetch first|needs force/i,
    'GIT_PUSH_REJECTED',
    (branch) =>
      `The remote’s branch ${branch} has commits that this session lacks. Push to another branch, or replace what this session pushed there before.`,
  ],
];

function rejectionOf(branch: string, text: string, said: string): GitFailure {
  const known = REASONS.find(([pattern]) => pattern.test(text));
  if (known) return { code: known[1], detail: known[2](branch, said) };
  return {
    code: 'GIT_PUSH_REJECTED',
    detail: `The remote refused the push to ${branch}.${quoted(said) || ` ${reason(text)}`}`,
  };
}

function reason(text: string): string {
  return clean(/^!.*\((.*)\)\s*$/m.exec(text)?.[1] ?? 'It gave no reason.');
}

function quoted(said: string): string {
  return said === '' ? '' : ` It says: ${said.replace(/\s*\n\s*/g, ' ').slice(0, SAID_CHARS)}`;
}

/** The remote's own words, without what would move a cursor or hide a letter. */
function saidBy(lines: readonly string[]): string {
  return lines
    .filter((line) => line.startsWith('remote:'))
    .map((line) => clean(line.slice('remote:'.length)))
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, 4 * SAID_CHARS);
}

function clean(text: string): string {
  // An escape sequence first: its letters would stay.
  return text
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}
