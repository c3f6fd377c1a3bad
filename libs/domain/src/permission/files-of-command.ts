import { fixedPart, resolveFrom, type PathContext } from './tool-place';
import type { FileUse } from './file-use';
import { namesOf, startsOf, usesOf } from './file-uses';
import { runsOf, type CommandRuns } from './shell/command-runs';
import type { ShellWord } from './shell/read-word';

/** So many changes of directory are followed. */
const MAX_DIRECTORIES = 20;
/** Linux takes no longer path. */
const MAX_PATH_LENGTH = 4_096;
/** No file has a longer name. */
const LONG_NAME = /[^/]{256}/;
/** So many paths are looked at, and so many characters of them. */
const MAX_PATHS = 500;
const MAX_CHARACTERS = 500_000;

const LISTS = new Set(['find', 'fd', 'fdfind', 'ls', 'echo', 'printf', 'git', 'readlink', 'realpath']);
/** Programs that take names from the one before them into the shell. */
const LOOPS = new Set(['read', 'mapfile', 'readarray']);
const CHANGES_DIRECTORY = new Set(['cd', 'pushd']);

/**
 * What a shell command does to files as far as its text tells, each path as it is from every directory the command goes
 * to. What a program does without being named files cannot be seen here. Null for a command that names too much to
 * look at.
 */
export function filesOfCommand(command: string, { cwd, workspace }: PathContext): FileUse[] | null {
  const found = runsOf(command);
  if (found.tooDeep) return null;
  const directories = directoriesOf(found, cwd ?? workspace ?? '');
  const uses = [
    ...found.runs.flatMap(usesOf),
    ...listed(found),
    ...redirected(found),
    ...hinted(found, command),
  ].filter(({ path }) => path !== '' && path.length <= MAX_PATH_LENGTH && !LONG_NAME.test(path));
  const characters =
    directories.reduce((sum, one) => sum + one.length, 0) * uses.length +
    directories.length * uses.reduce((sum, { path }) => sum + path.length, 0);
  if (characters > MAX_CHARACTERS || uses.length * directories.length > MAX_PATHS) return null;
  return uses.flatMap((one) =>
    directories.map((directory) => ({ ...one, path: resolveFrom(directory, one.path.replace(/^~\+(?=\/|$)/, '.')) })),
  );
}

function directoriesOf({ runs, goes: wrapped }: CommandRuns, start: string): string[] {
  const directories = [start, ...wrapped.slice(0, MAX_DIRECTORIES).map((one) => resolveFrom(start, one))];
  for (const { program, args } of runs) {
    const goes = CHANGES_DIRECTORY.has(program)
      ? args.filter(({ text }) => !text.startsWith('-')).slice(0, 1)
      : args.filter((_, at) => args[at - 1]?.text === '-C');
    for (const { text } of goes) {
      const next = resolveFrom(directories.at(-1) ?? '', text);
      if (directories.length < MAX_DIRECTORIES && next.length <= MAX_PATH_LENGTH && !directories.includes(next))
        directories.push(next);
    }
  }
  return directories;
}

/** What one program lists is what `xargs` gives to another, or a loop. */
function listed({ runs, unreadable }: CommandRuns): FileUse[] {
  const receivers = runs.filter(({ fed }) => fed);
  const isLooped =
    runs.some(({ program }) => LOOPS.has(program)) ||
    unreadable.some((text) => /\b(?:read|mapfile|readarray)\b/.test(text));
  if (receivers.length === 0 && !isLooped) return [];
  const does = new Set(
    receivers
      .flatMap((run) => usesOf({ ...run, args: [...run.args, PLACEHOLDER] }))
      .filter(({ path }) => path === PLACEHOLDER.text)
      .map((one) => one.does),
  );
  const names = runs
    .filter(({ program, args }) => LISTS.has(program) && (program !== 'git' || args[0]?.text === 'ls-files'))
    .flatMap(({ program, args }) => namedBy(program, args).map((word) => ({ ...word, ...namesOf(args) })));
  const given = [...does].flatMap((one) =>
    names.map(({ text, expands, names: only }): FileUse => ({
      path: text,
      does: one,
      what: 'tree',
      glob: expands,
      sure: true,
      ...(only === undefined ? {} : { names: only }),
    })),
  );
  const looped = (['read', 'change'] as const).flatMap((one) =>
    isLooped
      ? names.map(({ text, expands }): FileUse => ({
          path: text,
          does: one,
          what: 'whole',
          glob: expands,
          sure: false,
        }))
      : [],
  );
  return [...given, ...looped];
}
function namedBy(program: string, args: readonly ShellWord[]): ShellWord[] {
  if (program === 'find' || program === 'fd' || program === 'fdfind') return startsOf(program, args);
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  return startsOf(program, program === 'git' ? operands.slice(1) : operands);
}
const PLACEHOLDER = { text: '{}', expands: false, quoted: true };

function redirected({ redirects, listsRead }: CommandRuns): FileUse[] {
  const lists = listsRead.map((target) => ({ operator: '<', target }));
  return [...redirects, ...lists].map(({ operator, target }) => ({
    path: target,
    does: operator === '<' ? 'read' : 'change',
    what: 'file',
    glob: false,
    sure: true,
  }));
}

/** Words of what can change a file. */
const CHANGING =
  />|\b(?:rm|mv|cp|ln|tee|sed|perl|truncate|touch|dd|install|rsync|patch|git|write\w*|open|unlink\w*|remove|rename\w*|xargs|delete)\b/;
/** Other names of the directory that a command is in. */
const NAMES_OF_HERE = /\$\(pwd\)|`pwd`|\$\{?PWD\}?|~\+/g;

/** What is set or cannot be read may be what a program is given: names in it make one ask. */
function hinted({ assigned, unreadable }: CommandRuns, command: string): FileUse[] {
  const names = new Set(assigned);
  for (const text of unreadable) {
    const plain = text.replace(NAMES_OF_HERE, '.');
    for (const reading of [plain.replace(/["']/g, ''), plain.replace(/["']/g, ' ')]) {
      for (const word of reading.split(/[\s;&|()`\\<>]+/))
        for (const one of alternatives(word)) names.add(cut(one)).add(cut(one.slice(one.lastIndexOf('=') + 1)));
    }
  }
  const does: FileUse['does'][] = CHANGING.test(command) ? ['read', 'change'] : ['read'];
  return [...names].flatMap((path) =>
    does.map((one): FileUse => ({ path, does: one, what: 'whole', glob: false, sure: false })),
  );
}

const MAX_ALTERNATIVES = 20;

/** `{a,b}/c` as `a/c` and `b/c`; a comma elsewhere ends a word, as in a program's text. */
function alternatives(word: string): string[] {
  const [braces, inside = ''] = /\{([^{}]*,[^{}]*)\}/.exec(word) ?? [];
  if (braces === undefined) return word.split(',');
  return inside
    .split(',')
    .slice(0, MAX_ALTERNATIVES)
    .map((one) => word.replace(braces, () => one));
}

/** Up to where something stands that only the shell knows. */
function cut(word: string): string {
  const open = /[$*?[{]/.exec(word)?.index;
  return open === undefined ? word : fixedPart(`${word.slice(0, open)}*`);
}
