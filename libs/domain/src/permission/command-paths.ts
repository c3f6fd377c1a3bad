import { parseCommand } from './shell/parse-command';
import { fixedPart, resolveFrom, type Surroundings } from './tool-place';
import { runnableWords } from './wrappers';

/** Programs that show nothing of what is in the files they are given, but at most names. */
const TELLS_NAMES = new Set('ls pwd echo printf stat du find fd tree test [ basename dirname realpath readlink which cd pushd rm rmdir unlink mkdir touch chmod chown'.split(' '));
const GIT_TELLS_NAMES = new Set('add rm status ls-files ls-tree check-ignore restore reset checkout commit push fetch branch'.split(' '));

/** Programs that change every file they are given. */
const WRITES_ALL = new Set('tee mv rm rmdir unlink shred touch truncate chmod chown chgrp mkdir patch ex ed vi vim nano'.split(' '));
const GIT_WRITES = new Set('rm mv checkout restore clean'.split(' '));
/** Programs that change the last of them, or what they put there under the name it had. */
const WRITES_LAST = new Set('cp install ln rsync'.split(' '));
/** Programs that read the files whose names another one tells them. */
const READS_NAMED_FILES = new Set(['xargs', 'parallel', 'sh', 'bash', 'zsh', 'dash', 'ksh']);
const CHANGES_DIRECTORY = new Set(['cd', 'pushd']);

/** So many changes of directory are followed, and so many paths looked at. */
const MOST_DIRECTORIES = 20;
const MOST_PATHS = 20_000;

/** Programs that read whatever is below the directories they are given: always, or with such an argument. */
const READS_BELOW = new Map<string, RegExp>([
  ...'rg ag ack tar zip rsync diff'.split(' ').map((name): [string, RegExp] => [name, /(?:)/]),
  ...'grep egrep fgrep'.split(' ').map((name): [string, RegExp] => [name, /^-[A-Za-z]*[rRd]|^--(?:dereference-)?recursive|^--directories/]),
  ['cp', /^-[A-Za-z]*[rRa]|^--recursive|^--archive/],
  ['find', /^-(?:exec|ok)/],
  ['git', /^grep$/],
]);
const LISTS_FILES = new Set('find fd ls git'.split(' '));

/** What a shell command does to files as far as its text tells, each path as it is from every directory the command goes to. */
export type FilesOfCommand = {
  read: ReadonlySet<string>;
  changed: ReadonlySet<string>;
  /** Directories that may be read whole, without a file of them being named. */
  searched: ReadonlySet<string>;
};

/**
 * Which files a shell command names. Too much rather than too little; what a program does by itself cannot be seen
 * here. Null for a command that names too many to look at.
 */
export function filesOfCommand(command: string, { cwd, workspace }: Surroundings): FilesOfCommand | null {
  const runs = [...runnableWords(command)];
  const directories = directoriesOf(runs, cwd ?? workspace ?? '');
  const namesAreRead = runs.some(([program = '']) => READS_NAMED_FILES.has(program));
  const from = (words: Iterable<string>): Set<string> | null => {
    const paths = new Set([...words].filter(Boolean));
    return paths.size * directories.length > MOST_PATHS ? null : new Set([...paths].flatMap((path) => directories.map((directory) => resolveFrom(directory, path))));
  };
  const read = from([...inWords(runs, (words) => (namesAreRead ? words.slice(1) : readBy(words))), ...redirectTargets(command, 'read')]);
  const changed = from([...inWords(runs, changedBy), ...redirectTargets(command, 'change')]);
  const searched = from(inWords(runs, (words) => searchedBy(words, namesAreRead)));
  return read && changed && searched && { read, changed, searched };
}

function directoriesOf(runs: readonly string[][], start: string): string[] {
  const directories = [start];
  for (const words of runs) {
    for (const word of directoriesIn(words)) {
      const next = resolveFrom(directories.at(-1) ?? '', word);
      if (directories.length < MOST_DIRECTORIES && !directories.includes(next)) directories.push(next);
    }
  }
  return directories;
}

/** Each word once, then what paths may be in it. */
function inWords(runs: readonly string[][], words: (run: readonly string[]) => readonly string[]): Set<string> {
  const all = new Set<string>();
  for (const run of runs) for (const word of words(run)) all.add(word);
  return new Set([...all].flatMap((word) => [...pathsInWord(word)]));
}

function searchedBy([program = '', ...args]: readonly string[], namesAreRead: boolean): readonly string[] {
  const lists = namesAreRead && LISTS_FILES.has(program);
  const option = READS_BELOW.get(program);
  if (!lists && !(option && (option.test('') || args.some((word) => option.test(word))))) return [];
  const operands = args.filter((word) => !word.startsWith('-')).slice(program === 'git' ? 1 : 0);
  // The first may be what is searched for.
  return (lists || operands.length < 2 ? ['.', ...operands] : operands).map((operand) => fixedPart(operand) || '.');
}

function directoriesIn([program = '', ...args]: readonly string[]): string[] {
  if (CHANGES_DIRECTORY.has(program)) return args.filter((word) => !word.startsWith('-')).slice(0, 1);
  return args.filter((_, index) => args[index - 1] === '-C');
}

function readBy([program = '', ...args]: readonly string[]): readonly string[] {
  if (TELLS_NAMES.has(program) || (program === 'git' && GIT_TELLS_NAMES.has(firstOperand(args)))) return [];
  return args;
}

function changedBy([program = '', ...args]: readonly string[]): readonly string[] {
  const operands = args.filter((word) => !word.startsWith('-'));
  if (WRITES_ALL.has(program) || (program === 'git' && GIT_WRITES.has(firstOperand(args)))) return program === 'mv' ? [...operands, ...putInto(operands)] : args;
  if (WRITES_LAST.has(program)) return [...operands.slice(-1), ...putInto(operands), ...args.filter((word, index) => word.startsWith('-t') || word.startsWith('--target') || args[index - 1] === '-t')];
  if (program === 'dd') return args.filter((word) => word.startsWith('of='));
  const inPlace = (program === 'sed' || program === 'perl' || program === 'ruby') && args.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word));
  return inPlace ? operands : [];
}

/** In the last, which may be a directory, under the names that the others have. */
function putInto(operands: readonly string[]): string[] {
  const into = operands.at(-1) ?? '';
  return operands.slice(0, -1).map((from) => `${into}/${from.split('/').pop() ?? ''}`);
}

function firstOperand(args: readonly string[]): string {
  return args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-C' && args[index - 1] !== '-c') ?? '';
}

/** `secret`, `--file=secret`, `-fsecret`, `@secret`, `HEAD:secret`. */
function* pathsInWord(word: string): Generator<string> {
  if (!word.startsWith('-')) yield word;
  else if (!word.startsWith('--')) yield word.slice(2);
  const inside = /[=:@]/.exec(word);
  if (inside) yield word.slice(inside.index + 1);
}

function* redirectTargets(command: string, purpose: 'read' | 'change'): Generator<string> {
  const parsed = parseCommand(command);
  if (parsed.ok) {
    for (const { redirects } of parsed.commands) for (const { operator, target } of redirects) if ((operator === '<') === (purpose === 'read')) yield target;
    return;
  }
  // Of a command that cannot be read, whatever stands behind an arrow.
  const arrow = purpose === 'read' ? /<\s*["']?([^\s"';&|<>()]+)/g : />[>|&]?\s*["']?([^\s"';&|<>()]+)/g;
  for (const [, target] of command.matchAll(arrow)) if (target !== undefined) yield target;
}
