import { patternWords } from './bash-rule';
import { normalizeRule, parseRule } from './rule';
import { parseCommand } from './shell/parse-command';
import { coversTool } from './tool-rule';

/** The rules that both lists allow: of each list what the other covers. Both lists' order is kept, the outer first. */
export function intersectRules(outer: readonly string[], inner: readonly string[]): string[] {
  const covered = (rule: string, by: readonly string[]): boolean => by.some((other) => ruleCovers(other, rule));
  return [...new Set([...outer.filter((rule) => covered(rule, inner)), ...inner.filter((rule) => covered(rule, outer))])];
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

function coversCommands(wide: string, narrow: string): boolean {
  const wanted = patternWords(wide);
  const given = patternWords(narrow);
  const literal = wanted.slice(0, -1);
  if (wanted.at(-1) !== '*' || literal.some((word) => word.includes('*'))) return false;
  const parsed = parseCommand(narrow);
  return parsed.ok && parsed.commands.length === 1 && literal.every((word, index) => word === given[index]);
}

function coversPaths(wide: string, narrow: string): boolean {
  return wide.endsWith('/**') && !narrow.includes('..') && narrow.startsWith(wide.slice(0, -2));
}
