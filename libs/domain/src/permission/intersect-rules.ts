import { allowsCommand, patternWords } from './bash-rule';
import { normalizeRule, parseRule } from './rule';
import { parseCommand } from './shell/parse-command';
import { coversTool } from './tool-rule';

/** The rules that both lists allow: of each list what the other covers. Both lists' order is kept, the outer first. */
export function intersectRules(outer: readonly string[], inner: readonly string[]): string[] {
  const covered = (rule: string, by: readonly string[]): boolean => by.some((other) => ruleCovers(other, rule));
  return [
    ...new Set([...outer.filter((rule) => covered(rule, inner)), ...inner.filter((rule) => covered(rule, outer))]),
  ];
}

/** Whether all that `narrow` allows is certain to be allowed by `wide`. */
export function ruleCovers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const [outer, inner] = [parseRule(wide), parseRule(narrow)];
  if (!outer || !inner || !coversTool(outer.tool, inner.tool)) return false;
  const outerPattern = normalizeRule(outer).pattern;
  const innerPattern = normalizeRule(inner).pattern;
  if (outerPattern === null || outerPattern === innerPattern) return true;
  if (innerPattern === null) return false;
  return outer.tool === 'Bash' ? coversCommands(outerPattern, innerPattern) : coversPaths(outerPattern, innerPattern);
}

/**
 * A rule without a star allows its one command, which must be one that the wide rule allows. What a star adds to a rule
 * that names more is kept from the same things as the wide rule's own star; what the narrow rule spells out must be no
 * such thing either, for its author cannot give what the wide one does not.
 */
function coversCommands(wide: string, narrow: string): boolean {
  const wanted = patternWords(wide);
  const literal = wanted.slice(0, -1);
  if (wanted.at(-1) !== '*' || literal.some((word) => word.includes('*'))) return false;
  const given = patternWords(narrow);
  const star = given.findIndex((word) => word.includes('*'));
  // Something harmless in the star's place: what goes before it may be an option that waits for a value.
  const parsed = parseCommand(star < 0 ? narrow : [...given.slice(0, star), 'a'].join(' '));
  const [command, ...others] = parsed.ok ? parsed.commands : [];
  return command !== undefined && others.length === 0 && allowsCommand(wide, command);
}

function coversPaths(wide: string, narrow: string): boolean {
  return wide.endsWith('/**') && !narrow.includes('..') && narrow.startsWith(wide.slice(0, -2));
}
