const CONTROLS = '\u0000-\u0008\u000b-\u001f\u007f-\u009f';
/** Characters that turn the order in which a line is read, and marks of direction. */
const DIRECTION = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069';
/** Characters without a shape, and those that break a line without being a line feed. */
const UNSEEN =
  '\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}';
/** Blanks that look like a space and are none to a shell. */
const OTHER_BLANKS = '\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000';
/** Half of a character: shown as a box by some fonts and not at all by others. */
const LONE_HALVES = '\ud800-\udfff';

const IN_DECISIONS = new RegExp(`[${CONTROLS}${DIRECTION}${UNSEEN}${OTHER_BLANKS}${LONE_HALVES}]`, 'gu');
const IN_PROSE = new RegExp(`[${CONTROLS}${DIRECTION}${UNSEEN}${LONE_HALVES}]`, 'gu');

/**
 * Where an unseen character is part of ordinary writing: emoji, and scripts that join or vary their letters. Each is
 * tested on one whole character: Chromium 150 does not find one beyond U+FFFF at the end of a text by `/[…]$/u` alone.
 */
const HONEST: readonly { character: RegExp; after: RegExp }[] = [
  { character: /^[\ufe0e\ufe0f]$/u, after: /^\p{Emoji}$/u },
  { character: /^\u200d$/u, after: /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u },
  { character: /^[\u200c\u200d]$/u, after: /^[\u0600-\u0dff\u0e00-\u0eff\u1780-\u18af]$/u },
  { character: /^[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]$/u, after: /^[\p{Script=Han}\p{Script=Mongolian}]$/u },
];

const NAMES: Readonly<Record<string, string>> = {
  '\u0000': 'null character',
  '\u0008': 'backspace',
  '\u000d': 'carriage return: what stands before it may be overwritten in a terminal',
  '\u001b': 'escape: begins a command to the terminal',
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override: what follows is shown in reverse',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2069': 'end of a change of direction',
  '\ufeff': 'zero width no-break space (byte order mark)',
};

/**
 * `decision`: every character that cannot be recognised by looking. `prose`: the same without what ordinary writing
 * needs.
 */
export type RevealMode = 'decision' | 'prose';

/** A piece of text as it is, or one character that cannot be seen, by its name. */
type RevealedPiece = { text: string } | { mark: string; name: string };

function markOf(character: string): { mark: string; name: string } {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return { mark: `⟨U+${code}⟩`, name: NAMES[character] ?? `invisible character U+${code}` };
}

function characterBefore(text: string, at: number): string {
  const [first, ...others] = [...text.slice(Math.max(0, at - 2), at)];
  return others.at(-1) ?? first ?? '';
}

function isHonest(character: string, text: string, at: number): boolean {
  const before = characterBefore(text, at);
  return HONEST.some((rule) => rule.character.test(character) && rule.after.test(before));
}

/**
 * Text in pieces: nothing is left out, and every character that hides or that changes what is seen stands as a mark.
 * Linear.
 */
export function revealedPieces(text: string, mode: RevealMode): RevealedPiece[] {
  const source = mode === 'prose' ? text.replace(/\r\n/g, '\n') : text;
  const pieces: RevealedPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of source.matchAll(mode === 'prose' ? IN_PROSE : IN_DECISIONS)) {
    if (mode === 'prose' && isHonest(character, source, index)) continue;
    if (index > from) pieces.push({ text: source.slice(from, index) });
    pieces.push(markOf(character));
    from = index + character.length;
  }
  if (from < source.length) pieces.push({ text: source.slice(from) });
  return pieces;
}

function joined(pieces: readonly RevealedPiece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : piece.mark)).join('');
}

/**
 * Text on which a person decides, as plain text: nothing is left out, and every character that cannot be seen is named.
 */
export function revealHidden(text: string): string {
  return joined(revealedPieces(text, 'decision'));
}

/**
 * What a person or the model wrote, as plain text: as `revealHidden`, but emoji and joined scripts stay as they are.
 */
export function revealInProse(text: string): string {
  return joined(revealedPieces(text, 'prose'));
}
