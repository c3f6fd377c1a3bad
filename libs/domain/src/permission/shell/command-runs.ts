import { parseCommand, type Redirect, type SimpleCommand } from './parse-command';
import type { ShellWord } from './read-word';

/** One program as a shell command starts it; `sudo`, `timeout` and their like are taken off. */
export type Run = {
  /** Without its directory. */
  program: string;
  args: readonly ShellWord[];
  /** Its standard input is what another one writes. */
  piped: boolean;
  /** More arguments come from another program. */
  fed: boolean;
  /** False where it stands in a text that cannot be read as a whole: it may be words of a document. */
  certain: boolean;
};

export type CommandRuns = {
  runs: Run[];
  redirects: Redirect[];
  /** Values of variables that are set. */
  assigned: string[];
  /** Texts that run and cannot be read. */
  unreadable: string[];
};

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'su', 'script']);
/** Programs that start another one, and their options whose value is the next word. */
const WRAPPERS = new Map<string, RegExp>([
  ...'nohup setsid command exec builtin unshare time'.split(' ').map((name): [string, RegExp] => [name, /^$/]),
  ['sudo', /^-[ugChpDrtTU]$/],
  ['doas', /^-[uC]$/],
  ['env', /^-[uC]$/],
  ['timeout', /^-[sk]$/],
  ['nice', /^-n$/],
  ['ionice', /^-[cnp]$/],
  ['stdbuf', /^-[ioe]$/],
  ['watch', /^-n$/],
  ['strace', /^-[eopsu]$/],
  ['xargs', /^-[IinLPdaEs]$/],
  ['parallel', /^-[jINa]$/],
]);
const FEEDS = new Set(['xargs', 'parallel']);
const NUMBER = /^\d+(?:\.\d+)?[smhd]?$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const PIECE_ENDS = /(&&|\|\||[;|\n]|(?<![>&])&(?![>&]))/;
const DEEPEST = 5;

/** What a shell command starts, as far as its text tells. */
export function runsOf(command: string): CommandRuns {
  const found: CommandRuns = { runs: [], redirects: [], assigned: [], unreadable: [] };
  readText(command, found, { certain: true, depth: 0 });
  return found;
}

function readText(text: string, found: CommandRuns, { certain, depth }: Place): void {
  const parsed = depth > DEEPEST ? null : parseCommand(text);
  if (parsed?.ok) {
    for (const command of parsed.commands) readCommand(command, found, { certain, depth });
    return;
  }
  const pieces = text.split(PIECE_ENDS);
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1 || piece.trim() === '') continue;
    const part = depth > DEEPEST || pieces.length === 1 ? null : parseCommand(piece);
    if (!part?.ok) found.unreadable.push(piece);
    else for (const command of part.commands) readCommand(pieces[at - 1] === '|' ? { ...command, piped: true } : command, found, { certain: false, depth });
  }
}

type Place = { certain: boolean; depth: number };

function readCommand(command: SimpleCommand, found: CommandRuns, place: Place): void {
  found.redirects.push(...command.redirects);
  for (const text of command.assignments) found.assigned.push(text.slice(text.indexOf('=') + 1));
  unwrap(command.words, command.piped === true, found, place);
}

function unwrap(words: readonly ShellWord[], piped: boolean, found: CommandRuns, { certain, depth }: Place): void {
  let rest = words;
  let fed = false;
  for (;;) {
    const [first, ...args] = rest;
    if (!first) return;
    const program = first.text.split('/').pop() ?? '';
    const text = textRunBy(program, args);
    if (text !== null) return readText(text, found, { certain, depth: depth + 1 });
    const valued = WRAPPERS.get(program);
    if (!valued) {
      found.runs.push({ program, args, piped, fed, certain });
      return;
    }
    fed ||= FEEDS.has(program);
    rest = args.slice(startOfCommand(args, valued, found));
    // Alone, `env` and `sudo` run nothing that is in the text, and `xargs` prints.
    if (rest.length === 0) return;
  }
}

function startOfCommand(args: readonly ShellWord[], valued: RegExp, found: CommandRuns): number {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at]!.text;
    if (word === '--') return at + 1;
    if (ASSIGNMENT.test(word)) found.assigned.push(word.slice(word.indexOf('=') + 1));
    else if (valued.test(word)) at += 1;
    else if (!word.startsWith('-') && !NUMBER.test(word)) break;
  }
  return at;
}

/** The text that a program runs as a shell would; null when it runs none. */
function textRunBy(program: string, args: readonly ShellWord[]): string | null {
  if (SHELLS.has(program)) {
    const option = args.findIndex(({ text }) => /^-[A-Za-z]*c$/.test(text));
    return option < 0 ? null : (args[option + 1]?.text ?? '');
  }
  if (program === 'eval' || (program === 'watch' && args.some(({ text }) => /\s/.test(text)))) return args.map(({ text }) => text).filter((word) => !word.startsWith('-')).join(' ');
  const split = program === 'env' ? args.findIndex(({ text }) => text === '-S' || text === '--split-string') : -1;
  return split < 0 ? null : args.slice(split + 1).map(({ text }) => text).join(' ');
}
