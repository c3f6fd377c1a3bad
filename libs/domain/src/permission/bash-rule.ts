import { matchesSequence, matchesWildcard } from './glob';
import { mayRunSomethingElse } from './program-escapes';
import { runsItsInput } from './runs-programs';
import type { SimpleCommand } from './shell/parse-command';

const HARMLESS_TARGETS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** The words of a rule: `npm run test:*` is an older way to write `npm run test *`. */
export function patternWords(pattern: string): string[] {
  return pattern.replace(/:\*$/, ' *').split(/\s+/).filter(Boolean);
}

/**
 * Whether a rule's pattern allows one simple command. Without `*` it means exactly that text. A `*` that stands alone
 * is any number of arguments, one inside a word stays inside it; neither reaches what could make the named program run
 * another one, write where it likes, or see changed variables: that has to be written out in the rule. The text of an
 * interpreter does not say what it is piped: only the whole chain, or a `*`, allows that.
 */
export function allowsCommand(pattern: string, command: SimpleCommand): boolean {
  if (command.text === pattern) return !runsItsInput(command);
  if (!pattern.includes('*') || !isPlain(command)) return false;
  const words = command.words.map((word) => word.text);
  const wanted = patternWords(pattern);
  if (!matchesWords(wanted, words)) return false;
  const literal = wanted.findIndex((word) => word.includes('*'));
  return !mayRunSomethingElse(command.words, literal);
}

/** The same without any caution, for rules that refuse: too much is better than too little. */
export function mentionsCommand(pattern: string, words: readonly string[]): boolean {
  const wanted = patternWords(pattern);
  return matchesWords(wanted.includes('*') ? wanted : [...wanted, '*'], words);
}

/** No variables set, no output but to where it is harmless, and no input from a device, which may be the network. */
export function isPlain(command: SimpleCommand): boolean {
  return (
    command.assignments.length === 0 &&
    command.redirects.every(
      ({ operator, target }) => HARMLESS_TARGETS.has(target) || (operator === '<' && !target.startsWith('/dev/')),
    )
  );
}

function matchesWords(wanted: readonly string[], words: readonly string[]): boolean {
  return matchesSequence(wanted, words, (one) => one === '*', matchesWildcard);
}
