import { LONGEST_LITERAL, SHORTEST_LITERAL } from '../masking/mask-pattern';
import type { MaskPattern } from '../masking';

/** The shortest value that a variable may have: what is shorter cannot be told from ordinary words where it is masked. */
export const SHORTEST_VARIABLE = 8;
export const LONGEST_VARIABLE = 2_048;

const KIND = 'project-variable';

/**
 * What hides values wherever they would be shown: each as it is, as JSON and an address would write it, and in base64.
 * Of a value of several lines each line that is long enough also counts by itself.
 */
export function variableMasks(values: readonly string[]): MaskPattern[] {
  const texts = values.flatMap((value) => [value, ...value.split(/\r?\n/)]).filter((text) => text.length >= SHORTEST_VARIABLE);
  const spellings = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), Buffer.from(text).toString('base64').replace(/=+$/, '')]);
  const fitting = [...new Set(spellings)].filter((text) => text.length >= SHORTEST_LITERAL && text.length <= LONGEST_LITERAL);
  // The longer one first: one value may begin with another.
  return fitting.sort((one, other) => other.length - one.length).map((literal) => ({ kind: KIND, literal }));
}
