import { matchesWildcard, wildcardsMeet } from './glob';
import { segmentsOf } from './tool-place';

/**
 * What a pattern means below a directory, as patterns from there; `[]` where it means nothing below it. A pattern that
 * means the directory itself has an empty one among them.
 */
export function patternsBelow(pattern: string, directory: string, workspace?: string): string[][] {
  return remains(wholePattern(pattern, workspace), segmentsOf(directory, workspace), matchesWildcard);
}

/**
 * Whether a path, in which with `glob` the shell replaces `*`, `?` and `[…]`, may be a file that a pattern means. A
 * directory that is meant as a whole is not: it has no content itself.
 */
export function mayBeFile(
  pattern: string,
  path: string,
  { glob, workspace }: { glob: boolean; workspace?: string | undefined },
): boolean {
  const wanted = wholePattern(pattern, workspace);
  if (wanted.at(-1) === '**') wanted.push('*');
  return remains(wanted, segmentsOf(path, workspace), glob ? mayMeet : matchesWildcard).some(
    (rest) => rest.length === 0,
  );
}

/** The shell gives a `*` no name that begins with a dot. */
function mayMeet(wanted: string, segment: string): boolean {
  const open = segment.replace(/\[.*\]?|\?/g, '*');
  if (!open.includes('*')) return matchesWildcard(wanted, open);
  return !(wanted.startsWith('.') && open.startsWith('*')) && wildcardsMeet(wanted, open);
}

function wholePattern(pattern: string, workspace: string | undefined): string[] {
  const wanted = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  return pattern.startsWith('/') ? wanted : [...(workspace ? (segmentsOf(workspace) ?? []) : ['**']), ...wanted];
}

/** What is left of a pattern once it has been followed along a path, in each way that it can be. */
function remains(
  pattern: readonly string[],
  path: readonly string[] | null,
  fits: (one: string, segment: string) => boolean,
): string[][] {
  if (path === null) return [];
  let places = throughGaps(pattern, [0]);
  for (const segment of path) {
    const next = places.flatMap((at) =>
      pattern[at] === '**' ? [at] : at < pattern.length && fits(pattern[at]!, segment) ? [at + 1] : [],
    );
    places = throughGaps(pattern, next);
  }
  return places.map((at) => pattern.slice(at));
}

/** `**` may stand for nothing. */
function throughGaps(pattern: readonly string[], places: readonly number[]): number[] {
  const all = new Set<number>();
  for (let at of places) {
    all.add(at);
    while (pattern[at] === '**') all.add((at += 1));
  }
  return [...all];
}

/** What ripgrep and the shell-like `glob` of a search read as they stand; others cannot be said there. */
const SAYABLE = /^[\p{L}\p{N}_.*@+=~%:-]+$/u;

/**
 * The `glob` of a search that leaves out what the patterns mean, seen from the directory it searches: ripgrep takes
 * the last glob that fits. Null when one of them cannot be said so.
 */
export function globWithout(glob: string | null, patterns: readonly (readonly string[])[]): string | null {
  if (!patterns.every((segments) => segments.every((segment) => SAYABLE.test(segment)))) return null;
  const leftOut = patterns.filter((segments) => segments.length > 0).map((segments) => `!/${segments.join('/')}`);
  return [...(glob?.trim() ? [glob.trim()] : []), ...new Set(leftOut)].join(' ');
}
