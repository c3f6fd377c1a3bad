import { parseCommand } from './shell/parse-command';

/** Programs that start another one, named in their arguments. */
const WRAPPERS = new Set('env sudo doas nohup time timeout nice ionice setsid stdbuf xargs command exec builtin watch parallel chroot unshare flock strace find'.split(' '));
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'eval']);
const DEEPEST = 5;

/**
 * Every list of words in a shell command that may be run, also behind `sudo`, `xargs` and their like or as the text of
 * `sh -c`; of a command that cannot be read, every list that starts somewhere in it. For rules that refuse: it finds
 * too much rather than too little.
 */
export function runnableWords(command: string, depth = 0): string[][] {
  const parsed = parseCommand(command);
  if (!parsed.ok) return allTails(command.split(/[\s;&|()`$<>{}"'\\]+/).filter(Boolean));
  return parsed.commands.flatMap(({ words }) => behindWrappers(words.map((word) => word.text), depth));
}

function behindWrappers(words: string[], depth: number): string[][] {
  const program = (words[0] ?? '').split('/').pop() ?? '';
  const own = [[program, ...words.slice(1)]];
  if (depth >= DEEPEST) return own;
  if (SHELLS.has(program)) return [...own, ...words.slice(1).flatMap((word) => runnableWords(word, depth + 1))];
  return WRAPPERS.has(program) ? [...own, ...allTails(words.slice(1))] : own;
}

function allTails(words: string[]): string[][] {
  return words.slice(0, 200).map((word, index) => [word.split('/').pop() ?? word, ...words.slice(index + 1)]);
}
