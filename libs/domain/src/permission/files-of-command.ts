import { fixedPart, resolveFrom, type Surroundings } from './tool-place';
import { startsOf, usesOf, type FileUse } from './file-uses';
import { runsOf, type CommandRuns, type Run } from './shell/command-runs';

/** So many changes of directory are followed. */
const MOST_DIRECTORIES = 20;
/** Linux takes no longer path. */
const LONGEST_PATH = 4_096;
/** So many paths are looked at, and so many characters of them. */
const MOST_PATHS = 2_000;
const MOST_CHARACTERS = 500_000;

const LISTS = new Set(['find', 'fd', 'ls', 'echo', 'printf', 'git']);
const CHANGES_DIRECTORY = new Set(['cd', 'pushd']);

/**
 * What a shell command does to files as far as its text tells, each path as it is from every directory the command goes
 * to. What a program does by itself cannot be seen here. Null for a command that names too much to look at.
 */
export function filesOfCommand(command: string, { cwd, workspace }: Surroundings): FileUse[] | null {
  const found = runsOf(command);
  const directories = directoriesOf(found.runs, cwd ?? workspace ?? '');
  const uses = [...found.runs.flatMap(usesOf), ...listed(found), ...redirected(found), ...hinted(found)].filter(({ path }) => path !== '' && path.length <= LONGEST_PATH);
  const characters = directories.reduce((sum, one) => sum + one.length, 0) * uses.length + directories.length * uses.reduce((sum, { path }) => sum + path.length, 0);
  if (characters > MOST_CHARACTERS || uses.length * directories.length > MOST_PATHS) return null;
  return uses.flatMap((one) => directories.map((directory) => ({ ...one, path: resolveFrom(directory, one.path.replace(/^~\+(?=\/|$)/, '.')) })));
}

function directoriesOf(runs: readonly Run[], start: string): string[] {
  const directories = [start];
  for (const { program, args } of runs) {
    const goes = CHANGES_DIRECTORY.has(program) ? args.filter(({ text }) => !text.startsWith('-')).slice(0, 1) : args.filter((_, at) => args[at - 1]?.text === '-C');
    for (const { text } of goes) {
      const next = resolveFrom(directories.at(-1) ?? '', text);
      if (directories.length < MOST_DIRECTORIES && next.length <= LONGEST_PATH && !directories.includes(next)) directories.push(next);
    }
  }
  return directories;
}

/** What one program lists is what `xargs` gives to another, or a loop. */
function listed({ runs, unreadable }: CommandRuns): FileUse[] {
  const receivers = runs.filter(({ fed }) => fed);
  const isLooped = unreadable.some((text) => /\b(?:read|mapfile|readarray)\b/.test(text));
  if (receivers.length === 0 && !isLooped) return [];
  const does = new Set(receivers.flatMap((run) => usesOf({ ...run, args: [...run.args, PLACEHOLDER] })).filter(({ path }) => path === PLACEHOLDER.text).map((one) => one.does));
  const names = runs.filter(({ program, args }) => LISTS.has(program) && (program !== 'git' || args[0]?.text === 'ls-files')).flatMap(({ program, args }) => startsOf(program, program === 'git' ? args.slice(1) : args));
  const given = [...does].flatMap((one) => names.map((word): FileUse => ({ path: word.text, does: one, what: 'tree', glob: word.expands, sure: true })));
  const looped = (['read', 'change'] as const).flatMap((one) => (isLooped ? names.map((word): FileUse => ({ path: word.text, does: one, what: 'whole', glob: word.expands, sure: false })) : []));
  return [...given, ...looped];
}
const PLACEHOLDER = { text: '{}', expands: false, quoted: true };

function redirected({ redirects }: CommandRuns): FileUse[] {
  return redirects.map(({ operator, target }) => ({ path: target, does: operator === '<' ? 'read' : 'change', what: 'file', glob: false, sure: true }));
}

/** What is set or cannot be read may be what a program is given: names in it make one ask. */
function hinted({ assigned, unreadable }: CommandRuns): FileUse[] {
  const names = new Set(assigned);
  for (const text of unreadable) {
    for (const word of text.replace(/\$\(pwd\)|\$\{?PWD\}?|~\+/g, '.').split(/[\s;&|()`"'\\<>,]+/)) names.add(cut(word)).add(cut(word.slice(word.lastIndexOf('=') + 1)));
  }
  return [...names].flatMap((path) => (['read', 'change'] as const).map((does): FileUse => ({ path, does, what: 'whole', glob: false, sure: false })));
}

/** Up to where something stands that only the shell knows. */
function cut(word: string): string {
  const open = /[$*?[{]/.exec(word)?.index;
  return open === undefined ? word : fixedPart(`${word.slice(0, open)}*`);
}
