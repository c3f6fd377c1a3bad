import { readWord, type ShellWord } from './read-word';

export type Redirect = { operator: '<' | '>' | '>>'; target: string };

/** One program with its arguments, as a shell would start it. */
export type SimpleCommand = {
  /** Its text, trimmed. */
  text: string;
  assignments: string[];
  words: ShellWord[];
  redirects: Redirect[];
  /** It is given what the one before it writes. */
  piped?: true;
};

type ParsedCommand = { ok: true; commands: SimpleCommand[] } | { ok: false; why: string };

type CommandRead = { ok: true; command: SimpleCommand; next: number; separator: string } | { ok: false; why: string };

const SEPARATORS = ['&&', '||', '|&', ';', '|', '&', '\n'];
const RESERVED = new Set(
  'if then elif else fi for while until do done case esac select function time coproc in [[ ]] ! { }'.split(' '),
);
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const REDIRECT = /^(\d{0,3})(&>>|&>|>>|>\||>&|>|<<|<>|<&|<)/;

/**
 * Splits a shell command at `&& || ; | &` and newlines into simple commands. Whatever runs or hides something that
 * cannot be seen in the text (substitutions, expansions, here-documents, groups, control words, comments) is refused
 * with a reason: only a person can judge it.
 */
export function parseCommand(text: string): ParsedCommand {
  if (hasControlCharacters(text)) return { ok: false, why: 'it contains control characters' };
  const commands: SimpleCommand[] = [];
  let mayBeEmpty = false;
  let piped = false;
  let at = 0;
  while (at <= text.length) {
    const read = readSimpleCommand(text, at);
    if (!read.ok) return read;
    const isEmpty = read.command.text === '';
    if (!isEmpty) commands.push(piped ? { ...read.command, piped } : read.command);
    else if (read.separator !== '\n' && !(read.separator === '' && mayBeEmpty))
      return { ok: false, why: 'a part of it is empty' };
    piped = read.separator === '|' || read.separator === '|&';
    mayBeEmpty = read.separator === ';' || read.separator === '\n' || read.separator === '&';
    at = read.separator === '' ? text.length + 1 : read.next;
  }
  return commands.length > 0 ? { ok: true, commands } : { ok: false, why: 'it is empty' };
}

function readSimpleCommand(text: string, from: number): CommandRead {
  const command: SimpleCommand = { text: '', assignments: [], words: [], redirects: [] };
  let at = from;
  for (;;) {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    const redirect = REDIRECT.exec(text.slice(at, at + 8));
    if (redirect) {
      const read = readRedirect(text, at, redirect);
      if (!read.ok) return read;
      if (read.redirect) command.redirects.push(read.redirect);
      at = read.next;
      continue;
    }
    const separator = at === text.length ? '' : SEPARATORS.find((one) => text.startsWith(one, at));
    if (separator !== undefined) {
      command.text = text.slice(from, at).trim();
      return { ok: true, command, next: at + separator.length, separator };
    }
    if (text[at] === '(' || text[at] === ')') return { ok: false, why: 'it contains parentheses' };
    const start = at;
    const read = readWord(text, at);
    if (!read.ok) return read;
    at = read.next;
    const isBare = !read.word.quoted;
    if (command.words.length === 0 && isBare && RESERVED.has(read.word.text))
      return { ok: false, why: `it uses “${read.word.text}”` };
    if (command.words.length === 0 && ASSIGNMENT.test(text.slice(start, at))) command.assignments.push(read.word.text);
    else command.words.push(read.word);
  }
}

type RedirectRead = { ok: true; redirect: Redirect | null; next: number } | { ok: false; why: string };

function readRedirect(text: string, from: number, match: RegExpExecArray): RedirectRead {
  const operator = match[2] ?? '';
  let at = from + match[0].length;
  if (operator === '<<' || operator === '<>' || operator === '<&' || text[at] === '(') {
    return { ok: false, why: 'it feeds text or a program into another' };
  }
  if (operator === '>&') {
    const duplicate = /^(?:\d{1,3}|-)(?=[\s;&|]|$)/.exec(text.slice(at, at + 8));
    if (duplicate) return { ok: true, redirect: null, next: at + duplicate[0].length };
  }
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  const read = readWord(text, at);
  if (!read.ok) return read;
  if (read.word.text === '' || read.word.expands) return { ok: false, why: 'where it redirects to is not plain' };
  const direction = operator === '<' ? '<' : operator.endsWith('>>') ? '>>' : '>';
  return { ok: true, redirect: { operator: direction, target: read.word.text }, next: read.next };
}

/** Tab and newline are the only ones that a command has use for. */
function hasControlCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 127 || (code < 32 && code !== 9 && code !== 10)) return true;
  }
  return false;
}
