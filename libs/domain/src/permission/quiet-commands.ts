import { isPlain } from './bash-rule';
import { mayRunSomethingElse } from './program-escapes';
import type { SimpleCommand } from './shell/parse-command';

/** Programs that write nothing and run nothing whatever their arguments are. */
const ALWAYS_QUIET = new Set(
  [
    'ls pwd cat head tail wc echo cut tr nl tac rev comm paste fold expand unexpand column seq basename dirname realpath readlink',
    'stat du df cmp diff md5sum sha1sum sha256sum sha512sum cksum od strings grep egrep fgrep jq which whereis whoami id uname uptime',
    'nproc arch groups tty true false',
  ].flatMap((line) => line.split(' ')),
);

/** Programs that are quiet but for the options that `mayRunSomethingElse` knows. */
const QUIET_BUT_FOR_OPTIONS = new Set(['find', 'fd', 'rg', 'sort', 'tree']);

/**
 * Their version, and nothing else, may be asked. Not of those that a file of the project can have replaced by another
 * program.
 */
const TELLS_VERSION = new Set(
  'node npm npx deno python python3 pip pip3 ruby java javac gcc g++ clang make cmake docker php perl tsc psql'.split(
    ' ',
  ),
);

const GIT_READS = new Set(
  'status log diff show blame describe shortlog rev-parse rev-list ls-files ls-tree cat-file merge-base for-each-ref show-ref name-rev count-objects grep cherry'.split(
    ' ',
  ),
);
/** Subcommands that only list with one of these as all their arguments. */
const GIT_LISTS: Readonly<Record<string, readonly string[]>> = {
  branch: ['-a', '-r', '-v', '-vv', '--all', '--remotes', '--list', '--show-current', '--no-color'],
  remote: ['-v', '--verbose'],
  stash: ['list'],
  tag: ['-l', '--list', '-n'],
  worktree: ['list'],
  reflog: [],
};

/** Or a start of them: git then writes its index again, which runs a hook. */
const DESCRIBE_WRITES = /^--(?:di|dir|dirt|dirty|br|bro|brok|broke|broken)(?:=|$)/;

/** Whether any use of a program only reads and prints, but for the options that `mayRunSomethingElse` knows. */
export function readsWhateverItsArguments(program: string): boolean {
  return ALWAYS_QUIET.has(program) || QUIET_BUT_FOR_OPTIONS.has(program);
}

/** Whether a command only reads and prints, so that no one needs to be asked. What is not known is not quiet. */
export function isQuietCommand(command: SimpleCommand): boolean {
  const [program, ...rest] = command.words.map((word) => word.text);
  if (program === undefined || !isPlain(command)) return false;
  if (ALWAYS_QUIET.has(program)) return true;
  if (QUIET_BUT_FOR_OPTIONS.has(program)) return !mayRunSomethingElse(command.words, 1);
  if (program === 'git') return isQuietGit(command, rest);
  if (program === 'date')
    return rest.every((word) => word.startsWith('+') || word === '-u' || word === '-I' || word === '--iso-8601');
  if (program === 'file') return rest.every((word) => !word.startsWith('-') || word === '-b' || word === '-i');
  if (program === 'uniq')
    return rest.filter(isOperand).length <= 1 && !rest.includes('--') && !command.words.some((word) => word.expands);
  return (
    TELLS_VERSION.has(program) && rest.length === 1 && ['--version', '-v', '-V', 'version'].includes(rest[0] ?? '')
  );
}

/** A dash alone is the standard input, and `uniq` writes to its second operand. */
function isOperand(word: string): boolean {
  return word === '-' || !word.startsWith('-');
}

function isQuietGit(command: SimpleCommand, args: readonly string[]): boolean {
  if (mayRunSomethingElse(command.words, 1)) return false;
  const [subcommand = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args;
  if (subcommand === 'describe' && rest.some((word) => DESCRIBE_WRITES.test(word))) return false;
  if (GIT_READS.has(subcommand)) return true;
  const listing = GIT_LISTS[subcommand];
  if (!listing || !rest.every((word) => listing.includes(word))) return false;
  // Alone, `git stash` stashes; the others list.
  return subcommand !== 'stash' || rest.length > 0;
}
