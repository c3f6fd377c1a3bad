import { isQuietCommand } from './quiet-commands';
import { runsOf } from './shell/command-runs';
import { parseCommand, type SimpleCommand } from './shell/parse-command';

/** A pull request as the model wrote it; what it left out is null. */
export type ProposedPullRequest = { title: string | null; body: string | null; base: string | null; draft: boolean };

/** What the model proposes to send to the project's remote. `branch`: only where it names one there. */
export type ProposedPush = { branch: string | null; pullRequest: ProposedPullRequest | null };

type PushWish =
  | { kind: 'proposal'; push: ProposedPush }
  /** It is a push, but none that can be proposed as it stands. `reason`: one clause, without a full stop. */
  | { kind: 'refused'; reason: string };

/** Longer ones are read as they stand: no person would be shown such a description. */
const MAX_COMMAND = 70_000;
const MAX_DOCUMENTS = 10;
/** The names by which the project's remote is meant. */
const REMOTES: ReadonlySet<string> = new Set(['origin', 'upstream']);
const REWRITES = /^(?:-f|-d|--force(?:-.*)?|--delete|--mirror|--all|--branches|--tags|--follow-tags|--prune)(?:=|$)/;
const VALUED_GIT_OPTION = /^(?:-[cC]|--git-dir|--work-tree|--namespace|--config-env)$/;
const VALUED_PUSH_OPTION = /^(?:-o|--push-option|--receive-pack|--exec|--repo)$/;

/** The ways to name the branch that is pushed anyway. */
const CURRENT_BRANCH =
  /"?\$\(git (?:branch --show-current|rev-parse --abbrev-ref HEAD|symbolic-ref --short (?:-q )?HEAD)\)"?/g;

/** How the programs of git hosts say what a pull request is to be. */
const HOST_PROGRAMS: Readonly<Record<string, HostProgram>> = {
  gh: {
    noun: 'pr',
    options: {
      t: 'title',
      title: 'title',
      b: 'body',
      body: 'body',
      B: 'base',
      base: 'base',
      d: 'draft',
      draft: 'draft',
    },
  },
  glab: {
    noun: 'mr',
    options: {
      t: 'title',
      title: 'title',
      d: 'body',
      description: 'body',
      b: 'base',
      'target-branch': 'base',
      draft: 'draft',
      wip: 'draft',
    },
  },
};
type HostProgram = { noun: string; options: Readonly<Record<string, 'title' | 'body' | 'base' | 'draft'>> };

/**
 * Whether a shell command is a push to the project's remote, or the opening of a pull request there: neither can work
 * in a sandbox, so it is taken as a proposal. Null for every other command, also for a push to somewhere else.
 */
export function proposedPush(command: string): PushWish | null {
  if (!/\b(?:push|create|new)\b/.test(command)) return null;
  const { text, documents } = withoutDocuments(command.replace(CURRENT_BRANCH, 'HEAD'));
  const parsed = parseCommand(text);
  if (!parsed.ok) return hidesWish(text) ? refused(`${parsed.why}; ${ALONE}`) : null;
  const push: ProposedPush = { branch: null, pullRequest: null };
  let isFound = false;
  let isMixed = false;
  for (const part of parsed.commands) {
    const words = part.words.map((word) => word.text);
    if (!isWish(words)) {
      isMixed ||= !isNeutral(part, words);
      continue;
    }
    isFound = true;
    if (words[0] !== 'git') {
      push.pullRequest = readPullRequest(words, documents);
      continue;
    }
    const read = readPush(words);
    if (typeof read === 'string') return refused(read);
    push.branch = read.branch ?? push.branch;
  }
  if (!isFound) return null;
  return isMixed ? refused(ALONE) : { kind: 'proposal', push };
}

const ALONE =
  'a push is put to people, so it stands alone: run what comes before it first, then the push as a separate command';

/** Of a command that cannot be read as a whole. */
function hidesWish(text: string): boolean {
  const { runs, unreadable } = runsOf(text);
  return (
    runs.some(({ program, args }) => isWish([program, ...args.map((word) => word.text)])) ||
    unreadable.some((piece) => isWish(piece.trim().split(/\s+/)))
  );
}

function refused(reason: string): PushWish {
  return { kind: 'refused', reason };
}

/** What only moves to a directory, reads or prints changes nothing about what is proposed. */
function isNeutral(part: SimpleCommand, words: readonly string[]): boolean {
  return words[0] === 'cd' || isQuietCommand(part);
}

function isWish(words: readonly string[]): boolean {
  const [program = '', noun = '', verb = ''] = words;
  if (program === 'git') {
    const args = argsOfGit(words);
    return args[0] === 'push' && !isElsewhere(args) && !args.some((word) => word === '-n' || word === '--dry-run');
  }
  return HOST_PROGRAMS[program]?.noun === noun && (verb === 'create' || verb === 'new');
}

/** From the subcommand on. */
function argsOfGit(words: readonly string[]): string[] {
  let at = 1;
  while (at < words.length && words[at]?.startsWith('-')) at += VALUED_GIT_OPTION.test(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

function operandsOf(args: readonly string[]): string[] {
  return args
    .slice(1)
    .filter((word, index, all) => !word.startsWith('-') && !VALUED_PUSH_OPTION.test(all[index - 1] ?? ''));
}

/** A remote of another name, an address or a directory is not the project's. */
function isElsewhere(args: readonly string[]): boolean {
  const [remote] = operandsOf(args);
  return remote !== undefined && !REMOTES.has(remote);
}

function readPush(words: readonly string[]): { branch: string | null } | string {
  const args = argsOfGit(words);
  const [, ...refs] = operandsOf(args);
  if (args.some((word) => REWRITES.test(word)) || refs.some((ref) => /^[+:]/.test(ref)))
    return 'only the commits of this session’s branch can be proposed, and nothing is replaced or deleted at the remote: run `git push` without such options';
  if (refs.length > 1) return 'only this session’s branch can be proposed: name no other one';
  const [, branch = ''] = (refs[0] ?? '').split(':');
  return { branch: branch === '' ? null : branch.replace(/^refs\/heads\//, '') };
}

function readPullRequest(words: readonly string[], documents: readonly string[]): ProposedPullRequest {
  const options = HOST_PROGRAMS[words[0] ?? '']?.options;
  const found: ProposedPullRequest = { title: null, body: null, base: null, draft: false };
  for (let at = 3; at < words.length; at += 1) {
    const [, name = '', , inline] = /^--?([A-Za-z][\w-]*)(=([\s\S]*))?$/.exec(words[at] ?? '') ?? [];
    const option = options?.[name];
    if (option === undefined) continue;
    if (option === 'draft') found.draft = true;
    else found[option] = filled(inline ?? words[(at += 1)] ?? '', documents);
  }
  return found;
}

function placeholder(index: number): string {
  return `chirality-document-${index}-`;
}

function filled(text: string, documents: readonly string[]): string {
  return documents.reduce((whole, document, index) => whole.replaceAll(placeholder(index), () => document), text);
}

/** `"$(cat <<'EOF' … EOF)"` is how a text of several lines is given: each is taken out, as it stands. */
function withoutDocuments(command: string): { text: string; documents: string[] } {
  const documents: string[] = [];
  if (command.length > MAX_COMMAND) return { text: command, documents };
  let text = command;
  while (documents.length < MAX_DOCUMENTS) {
    const start = /\$\(cat <<-?[ \t]*(["']?)(\w+)\1[ \t]*\n/.exec(text);
    if (!start) break;
    const from = start.index + start[0].length;
    const end = new RegExp(String.raw`(?:^|\n)[ \t]*${start[2] ?? ''}[ \t]*\n?[ \t]*\)`).exec(text.slice(from));
    if (!end) break;
    const document = text.slice(from, from + end.index);
    text = text.slice(0, start.index) + placeholder(documents.length) + text.slice(from + end.index + end[0].length);
    documents.push(document);
  }
  return { text, documents };
}
