const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};
const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([character, letter]) => [letter, character]),
);
const NEEDS_QUOTES = /[\p{Cc}"\\]/u;
const ESCAPE = /\\(?:([0-7]{3})|([^]))/y;

/** A path as git writes it into a patch with `core.quotePath=false`: in double quotes when it has control characters, quotes or backslashes. */
export function quoteGitPath(path: string): string {
  if (!NEEDS_QUOTES.test(path)) return path;
  const escaped = [...path].map((character) => {
    const letter = ESCAPES[character];
    if (letter !== undefined) return `\\${letter}`;
    const code = character.charCodeAt(0);
    return code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, '0')}` : character;
  });
  const quoted = escaped.join('');
  return quoted === path ? path : `"${quoted}"`;
}

/** The path at the beginning of `text`, quoted or not, and how many characters it takes; an unquoted one ends at a tab or at the end. */
export function readGitPath(text: string): { path: string; length: number } {
  if (!text.startsWith('"')) {
    const tab = text.indexOf('\t');
    const length = tab < 0 ? text.length : tab;
    return { path: text.slice(0, length), length };
  }
  const bytes: number[] = [];
  let at = 1;
  while (at < text.length && text[at] !== '"') {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(text);
    if (escape?.[1] !== undefined) bytes.push(parseInt(escape[1], 8));
    else {
      const character = escape
        ? (CHARACTERS[escape[2] ?? ''] ?? escape[2] ?? '')
        : String.fromCodePoint(text.codePointAt(at) ?? 0);
      bytes.push(...new TextEncoder().encode(character));
    }
    at += escape ? escape[0].length : text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  // Octal escapes are bytes, and only together do they make characters.
  return { path: new TextDecoder().decode(Uint8Array.from(bytes)), length: Math.min(at + 1, text.length) };
}
