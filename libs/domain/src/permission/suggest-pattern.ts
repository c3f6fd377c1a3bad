import { maskText } from '../masking/mask-text';
import { isPlain, patternWords } from './bash-rule';
import { isSensitivePath, normalizePath } from './path-pattern';
import { isQuietCommand, readsWhateverItsArguments } from './quiet-commands';
import { normalizeRule, ruleText, type PermissionRule } from './rule';
import { RUNS_NAMED_SCRIPTS, runsOtherPrograms } from './runs-programs';
import { parseCommand, type SimpleCommand } from './shell/parse-command';
import { isFileEdit } from './tool-classes';
import { pathOf, textField } from './tool-place';
import { hostOf, type Call } from './tool-rule';

/**
 * Subcommands of which any use may be allowed at once; `true` is every one that is not known to run something else.
 * Building and testing run what stands in the project's files, under the name that the rule shows.
 */
const DEEDS: Readonly<Record<string, true | ReadonlySet<string>>> = {
  git: true,
  npm: new Set(['test']),
  pnpm: new Set(['test']),
  yarn: new Set(['test']),
  cargo: new Set(['test', 'build', 'check', 'clippy', 'fmt', 'doc', 'bench']),
  go: new Set(['test', 'build', 'vet', 'fmt', 'list']),
};
const MAX_LENGTH = 200;
const MAX_PARTS = 5;

/** What has to be asked for a suggestion: whether the same use is allowed once these rules stand. */
type Trial = (rules: readonly PermissionRule[]) => boolean;

/**
 * The rules that a person may allow for the rest of the session instead of this one use, such as `Bash(npm test *)`: one
 * for each part of a chain that needs one. Empty when none can be offered: a part runs other programs or what it is
 * piped, a rule would hold a secret, or the same use would be asked about again.
 */
export function suggestPatterns(use: Call & { strict: boolean }, allowsWith: Trial): string[] {
  const patterns = [...new Set(patternsFor(use))];
  const rules = patterns.map((pattern) => ({ tool: use.tool, pattern }));
  const texts = rules.map(ruleText);
  const isExact = rules.every(
    (rule) =>
      rule.pattern.length <= MAX_LENGTH &&
      normalizeRule({ tool: rule.tool, pattern: ruleText(rule) }).pattern === rule.pattern,
  );
  const isSecret = texts.some((text) => maskText(text) !== text);
  return rules.length > 0 && isExact && !isSecret && allowsWith(rules) ? texts : [];
}

/** All of them in one text, for who shows a single one: never less than what will be stored. */
export function joinPatterns(patterns: readonly string[]): string | null {
  return patterns.length === 0 ? null : patterns.join(' and ');
}

function patternsFor({ tool, input, strict }: Call & { strict: boolean }): string[] {
  if (tool === 'Bash') return commandPatterns(textField(input, 'command') ?? '', strict) ?? [];
  if (isFileEdit(tool)) return directoryPattern(pathOf(input));
  const host = tool === 'WebFetch' ? hostOf(input) : null;
  return host === null ? [] : [`domain:${host}`];
}

/** Null as soon as one part can have none; of several, each is meant exactly as it stands. */
function commandPatterns(command: string, strict: boolean): string[] | null {
  const parsed = parseCommand(command);
  if (!parsed.ok) return null;
  const { commands } = parsed;
  const open = commands.filter((part) => strict || !isQuietCommand(part));
  if (open.length > MAX_PARTS || open.some((part) => runsOtherPrograms(part) || isFed(part))) return null;
  // What is only filtered afterwards is one deed.
  const isOneDeed = commands.slice(1).every((part) => part.piped && isQuietCommand(part));
  const patterns = open.map((part) => (isOneDeed ? deedPattern(part) : null) ?? exactPattern(part));
  return patterns.every((pattern) => pattern !== null) ? patterns : null;
}

/** A rule shows words, and what a pipe brings is none of them. */
function isFed(part: SimpleCommand): boolean {
  return (
    (part.piped === true && !isQuietCommand(part)) ||
    part.words.slice(1).some(({ text }) => text === '-' || text === '@-')
  );
}

function deedPattern(command: SimpleCommand): string | null {
  const words = command.words.map((word) => word.text);
  const [program = '', subcommand = '', script = ''] = words;
  if (!isPlain(command)) return null;
  const deed = words.slice(0, wordsOfDeed(program, subcommand, script));
  if (
    deed.length === 0 ||
    deed.some((word) => !/^[\w.:@+-]+$/.test(word)) ||
    deed.slice(1).some((word) => word.startsWith('-'))
  )
    return null;
  const pattern = [...deed, '*'].join(' ');
  return patternWords(pattern).length === deed.length + 1 ? pattern : null;
}

function wordsOfDeed(program: string, subcommand: string, script: string): number {
  if (readsWhateverItsArguments(program)) return 1;
  if (RUNS_NAMED_SCRIPTS.has(program) && (subcommand === 'run' || subcommand === 'run-script'))
    return script === '' ? 0 : 3;
  const deeds = DEEDS[program];
  return subcommand !== '' && deeds !== undefined && (deeds === true || deeds.has(subcommand)) ? 2 : 0;
}

/** Text with a star would mean more than itself as a rule. */
function exactPattern({ text }: SimpleCommand): string | null {
  return text === '' || /[*\n]/.test(text) ? null : text;
}

/** Files that make other programs run something are asked about each time. */
function directoryPattern(path: string | null): string[] {
  const normal = path === null ? null : normalizePath(path);
  if (!normal || normal.includes('*') || isSensitivePath(normal)) return [];
  const directory = normal.slice(0, Math.max(0, normal.lastIndexOf('/')));
  return [directory === '' ? normal : `${directory}/**`];
}
