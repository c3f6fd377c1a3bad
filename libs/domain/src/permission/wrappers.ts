import { parseCommand } from './shell/parse-command';
import { SHELLS } from './shell/shells';

/** Programs that start another one, named in their arguments. */
const WRAPPERS = new Set(
  'env sudo doas nohup time timeout nice ionice setsid stdbuf xargs command exec builtin watch parallel chroot unshare flock strace find'.split(
    ' ',
  ),
);
/** Programs that run a text which is one of their arguments. */
const RUNS_TEXT = new Set<string>([...SHELLS, 'eval', 'su', 'script', 'watch']);
const DEEPEST = 5;

/** So many starts are followed to the end, all others for a few words only: the time is linear in the command's length. */
const FOLLOWED_STARTS = 50;
const FOLLOWED_WORDS = 20;

/**
 * Every list of words in a shell command that may be run, also behind `sudo`, `xargs` and their like or as the text of
 * `sh -c`; of a command that cannot be read, every list that starts somewhere in it, its quotes taken for ends of words
 * and for nothing. For rules that refuse: it finds too much rather than too little.
 */
export function* runnableWords(command: string, depth = 0): Generator<string[]> {
  const parsed = parseCommand(command);
  if (parsed.ok) {
    for (const { words } of parsed.commands)
      yield* behindWrappers(
        words.map((word) => word.text),
        depth,
      );
    return;
  }
  const readings = new Set([command.replace(/["'\\]/g, ' '), command.replace(/["'\\]/g, '')]);
  for (const text of readings) yield* allTails(text.split(/[\s;&|()`$<>{}]+/).filter(Boolean));
}

function* behindWrappers(words: string[], depth: number): Generator<string[]> {
  const program = (words[0] ?? '').split('/').pop() ?? '';
  yield [program, ...words.slice(1)];
  if (depth >= DEEPEST) return;
  if (RUNS_TEXT.has(program)) yield* textsIn(words.slice(1), depth);
  if (!WRAPPERS.has(program)) return;
  yield* allTails(words.slice(1));
  const shell = words.findIndex((word, index) => index > 0 && RUNS_TEXT.has(word.split('/').pop() ?? ''));
  if (shell >= 0 || program === 'env') yield* textsIn(words.slice(Math.max(shell, 0) + 1), depth);
}

function* textsIn(words: readonly string[], depth: number): Generator<string[]> {
  for (const word of words) yield* runnableWords(word, depth + 1);
}

function* allTails(words: string[]): Generator<string[]> {
  for (const [index, word] of words.entries()) {
    const end = index < FOLLOWED_STARTS ? words.length : index + FOLLOWED_WORDS;
    yield [word.split('/').pop() ?? word, ...words.slice(index + 1, end)];
  }
}
