import { parseCommand, type Redirect, type SimpleCommand } from './parse-command';
import type { ShellWord } from './read-word';
import { SHELLS } from './shells';

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
  /** Files whose lines are arguments. */
  listsRead: string[];
  /** Directories that wrappers change to. */
  goes: string[];
  /** Texts that run and cannot be read. */
  unreadable: string[];
  /** It is nested deeper than any person would write. */
  tooDeep: boolean;
};

const RUNS_TEXT = new Set<string>([...SHELLS, 'su', 'script']);
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
/** What stands before a command in a block or a substitution, and after it. */
const OPENS_BLOCK = /^\s*(?:(?:if|then|elif|else|do|while|until|!|\{|\()\s+|\(|[A-Za-z_]\w*="?\$\()*/;
const CLOSES_BLOCK = new Set(' \t\n)"}');
const DEEPEST = 5;
const MAX_WRAPPERS = 50;

/**
 * What a shell command starts, as far as its text tells: each program once, with the arguments that are its own. For
 * rules about commands, which would rather find too much, there is `runnableWords`.
 */
export function runsOf(command: string): CommandRuns {
  const found: CommandRuns = {
    runs: [],
    redirects: [],
    assigned: [],
    listsRead: [],
    goes: [],
    unreadable: [],
    tooDeep: false,
  };
  readText(withoutDocuments(command), found, { certain: true, depth: 0 });
  return found;
}

function readText(text: string, found: CommandRuns, { certain, depth }: Place): void {
  const parsed = depth > DEEPEST ? null : parseCommand(text);
  if (parsed?.ok) {
    for (const [at, command] of parsed.commands.entries()) {
      readCommand(command, found, { certain, depth });
      const said = command.piped ? textGivenTo(command, parsed.commands[at - 1]) : null;
      if (said !== null) readText(said, found, { certain, depth: depth + 1 });
    }
    return;
  }
  const pieces = text.split(PIECE_ENDS);
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1 || piece.trim() === '') continue;
    const part =
      depth > DEEPEST
        ? null
        : [piece, withoutBlockEnd(piece.replace(OPENS_BLOCK, ''))].map(parseCommand).find(({ ok }) => ok);
    if (!part?.ok) found.unreadable.push(piece);
    else
      for (const command of part.commands)
        readCommand(pieces[at - 1] === '|' ? { ...command, piped: true } : command, found, { certain: false, depth });
  }
}

function withoutBlockEnd(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSES_BLOCK.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

type Place = { certain: boolean; depth: number };

function readCommand(command: SimpleCommand, found: CommandRuns, place: Place): void {
  found.redirects.push(...command.redirects);
  for (const text of command.assignments) found.assigned.push(text.slice(text.indexOf('=') + 1));
  unwrap(command.words, command.piped === true, found, place);
}

function unwrap(words: readonly ShellWord[], piped: boolean, found: CommandRuns, { certain, depth }: Place): void {
  let fed = false;
  // Alone, `env` and `sudo` run nothing that is in the text, and `xargs` prints.
  for (let at = 0, wrappers = 0; at < words.length; wrappers += 1) {
    if (wrappers > MAX_WRAPPERS) {
      found.tooDeep = true;
      return;
    }
    const program = words[at]!.text.split('/').pop() ?? '';
    const args = words.slice(at + 1);
    const text = textRunBy(program, args);
    if (text !== null) {
      readText(text.text, found, { certain, depth: depth + 1 });
      // A text may use what it is given; what is not known may do anything with it.
      if (text.given.length > 0) found.runs.push({ program: '', args: text.given, piped, fed, certain: false });
      return;
    }
    const valued = WRAPPERS.get(program);
    if (!valued) {
      found.runs.push({ program, args, piped, fed, certain });
      return;
    }
    fed ||= FEEDS.has(program);
    at = startOfCommand(words, at + 1, valued, found, FEEDS.has(program));
  }
}

function startOfCommand(
  words: readonly ShellWord[],
  from: number,
  valued: RegExp,
  found: CommandRuns,
  feeds: boolean,
): number {
  let at = from;
  for (; at < words.length; at += 1) {
    const word = words[at]!.text;
    const next = words[at + 1]?.text ?? '';
    if (word === '--') return at + 1;
    if (ASSIGNMENT.test(word)) found.assigned.push(word.slice(word.indexOf('=') + 1));
    else if (/^--(?:chdir|arg-file)=/.test(word))
      (word.startsWith('--c') ? found.goes : found.listsRead).push(word.slice(word.indexOf('=') + 1));
    else if (valued.test(word)) {
      if (feeds && word === '-a') found.listsRead.push(next);
      if (word === '-C') found.goes.push(next);
      at += 1;
    } else if (!word.startsWith('-') && !NUMBER.test(word)) break;
  }
  return at;
}

/** What is written into a shell is run. */
function textGivenTo({ words }: SimpleCommand, before: SimpleCommand | undefined): string | null {
  const [teller, ...said] = before?.words ?? [];
  if (words.length !== 1 || !RUNS_TEXT.has(words[0]!.text) || (teller?.text !== 'echo' && teller?.text !== 'printf'))
    return null;
  return said.map(({ text }) => text).join(' ');
}

/** The text that a program runs as a shell would, and what it is given besides; null when it runs none. */
function textRunBy(program: string, args: readonly ShellWord[]): { text: string; given: readonly ShellWord[] } | null {
  if (RUNS_TEXT.has(program)) {
    const option = args.findIndex(({ text }) => /^-[A-Za-z]*c$/.test(text));
    const at = args[option + 1]?.text === '--' ? option + 2 : option + 1;
    return option < 0 ? null : { text: args[at]?.text ?? '', given: args.slice(at + 1) };
  }
  const text = textJoinedBy(program, args);
  return text === null ? null : { text, given: [] };
}

function textJoinedBy(program: string, args: readonly ShellWord[]): string | null {
  if (program === 'eval' || (program === 'watch' && args.some(({ text }) => /\s/.test(text))))
    return args
      .map(({ text }) => text)
      .filter((word) => !word.startsWith('-'))
      .join(' ');
  const split = program === 'env' ? args.findIndex(({ text }) => text === '-S' || text === '--split-string') : -1;
  return split < 0
    ? null
    : args
        .slice(split + 1)
        .map(({ text }) => text)
        .join(' ');
}

const MAX_DOCUMENTS = 20;

/**
 * Without the documents that `cat` or `tee` only writes down: they are text, whatever stands in them. One in which the
 * shell replaces something stays, as does one that is handed on, and one of which the text before does not tell for
 * sure that it is no text itself.
 */
function withoutDocuments(command: string): string {
  const document =
    /((?:^|[\n;&(])\s*)((?:cat|tee)\b[^\n<|]*)<<-?\s*(["']?)(\w+)\3([^\n|]*)\n([\s\S]*?)(?:^|\n)[ \t]*\4(?=[\n)\s]|$)/g;
  let plain = '';
  let from = 0;
  for (let count = 0; count < MAX_DOCUMENTS; count += 1) {
    const match = document.exec(command);
    if (!match) break;
    const [whole, start = '', program = '', quote = '', , after = '', body = ''] = match;
    const before = plain + command.slice(from, match.index);
    const stays = (quote === '' && /[$`]/.test(body)) || !isCodeAfter(before + start);
    plain = before + (stays ? whole : `${start}${program}${after}`);
    from = match.index + whole.length;
  }
  return plain + command.slice(from);
}

/**
 * Whether what follows is a command and not within quotes: after whole commands, or in a substitution that is their
 * last argument.
 */
function isCodeAfter(text: string): boolean {
  const commands = text
    .replace(/"?\$\(\s*$/, '')
    .trim()
    .replace(/(?:&&|\|\||[;&])$/, '');
  return commands.trim() === '' || parseCommand(commands).ok;
}
