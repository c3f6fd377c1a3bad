import { BUILT_IN_RULES, compiledRulesFor } from './compiled-rules';
import type { MaskPattern } from './mask-pattern';
import { maskText } from './mask-text';

/** What is nested deeper is replaced: it could not be looked through, so it must not pass. */
const DEEPEST = 200;
const TOO_DEEP = '«redacted:too-deep»';

/**
 * A JSON value with every string and every key masked. The same reference comes back where nothing was masked; an
 * array of strings is read as the lines of one text, since a private key in a patch has each line in its own string.
 */
export function maskJson<T>(value: T, patterns?: readonly MaskPattern[]): T {
  return maskValue(value, patterns, 0) as T;
}

function maskValue(value: unknown, patterns: readonly MaskPattern[] | undefined, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, patterns);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return maskArray(value, patterns, depth);
  return maskObject(value, patterns, depth);
}

function maskArray(items: unknown[], patterns: readonly MaskPattern[] | undefined, depth: number): unknown[] {
  if (items.length > 1 && items.every((item) => typeof item === 'string')) return maskLines(items, patterns);
  let masked: unknown[] | null = null;
  for (const [index, item] of items.entries()) {
    const after = maskValue(item, patterns, depth + 1);
    if (after === item) continue;
    masked ??= [...items];
    masked[index] = after;
  }
  return masked ?? items;
}

function maskLines(lines: string[], patterns: readonly MaskPattern[] | undefined): string[] {
  const whole = lines.join('\n');
  const maskedWhole = maskText(whole, patterns);
  if (maskedWhole === whole) return lines;
  const each = lines.map((line) => maskText(line, patterns));
  return each.join('\n') === maskedWhole ? each : maskedWhole.split('\n');
}

function maskObject(object: object, patterns: readonly MaskPattern[] | undefined, depth: number): object {
  const names = Object.keys(object);
  let changed: Map<string, unknown> | null = null;
  for (const name of names) {
    const item = (object as Record<string, unknown>)[name];
    const masked = maskValue(item, patterns, depth + 1);
    if (masked !== item || !isCleanName(name, patterns)) (changed ??= new Map()).set(name, masked);
  }
  if (!changed) return object;
  const taken = new Map<string, number>();
  const entries = names.map((name): [string, unknown] => [
    distinct(maskText(name, patterns), taken),
    changed.has(name) ? changed.get(name) : (object as Record<string, unknown>)[name],
  ]);
  return Object.fromEntries(entries);
}

const MAX_CLEAN_NAMES = 2_000;
const MAX_CLEAN_NAME_LENGTH = 64;

function isCleanName(name: string, patterns: readonly MaskPattern[] | undefined): boolean {
  const { cleanNames } = patterns ? compiledRulesFor(patterns) : BUILT_IN_RULES;
  if (cleanNames.has(name)) return true;
  if (maskText(name, patterns) !== name) return false;
  if (name.length <= MAX_CLEAN_NAME_LENGTH && cleanNames.size < MAX_CLEAN_NAMES) cleanNames.add(name);
  return true;
}

/** Two masked keys must not become one. */
function distinct(name: string, taken: Map<string, number>): string {
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  return count === 1 ? name : distinct(`${name} (${count})`, taken);
}
