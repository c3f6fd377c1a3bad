import { MIN_LITERAL_LENGTH } from '../masking/mask-pattern';
import type { MaskPattern } from '../masking';

/** A shorter value is not hidden: it could not be distinguished from ordinary words and numbers. */
const MIN_HIDDEN_CHARACTERS = 8;
/** Of a longer text each piece of so many characters is hidden separately. */
const PIECE_CHARACTERS = 2_048;

const KIND = 'project-variable';

/**
 * What hides values wherever they would be shown: each as it is, as JSON and an address would write it, and in base64.
 * Of a value of several lines each line that is long enough also counts separately, and a long text is hidden piece by
 * piece.
 */
export function variableMasks(values: readonly string[]): MaskPattern[] {
  const texts = values
    .flatMap((value) => [value, ...value.split(/\r?\n/)])
    .filter((text) => text.length >= MIN_HIDDEN_CHARACTERS);
  const spellings = texts.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]);
  const fitting = [...new Set(spellings.flatMap(piecesOf))].filter((text) => text.length >= MIN_LITERAL_LENGTH);
  // The longer one first: one value may begin with another.
  return fitting.sort((one, other) => other.length - one.length).map((literal) => ({ kind: KIND, literal }));
}

/** The last piece is as long as the others, so that no short rest stays visible. */
function piecesOf(text: string): string[] {
  if (text.length <= PIECE_CHARACTERS) return [text];
  const pieces = Array.from({ length: Math.floor(text.length / PIECE_CHARACTERS) }, (_, index) =>
    text.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS),
  );
  const rest = text.length % PIECE_CHARACTERS;
  return rest === 0 ? pieces : [...pieces, text.slice(-Math.max(rest, MIN_HIDDEN_CHARACTERS))];
}
