/**
 * Names of files are bytes, and need not be UTF-8. On the wire a path is text: each byte that is part of no UTF-8
 * character is U+FFFD and its two hexadecimal digits, as `a�FFb`, and so is each of the three bytes of a U+FFFD that
 * really stands in a name. So a path that a list names opens the very file, and all others read as they are.
 */
const ESCAPE = '\ufffd';
const ESCAPED_BYTE = /\ufffd([0-9A-F]{2})/g;
const MAX_CHARACTER_BYTES = 4;
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How a path, or text with paths in it, stands on the wire. */
export function pathText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes(ESCAPE)) return text;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at);
    if (character === null || character === ESCAPE) {
      const end = at + (character === null ? 1 : Buffer.byteLength(ESCAPE));
      for (; at < end; at += 1) parts.push(escaped(bytes[at] ?? 0));
    } else {
      parts.push(character);
      at += Buffer.byteLength(character);
    }
  }
  return parts.join('');
}

/** The bytes that a path on the wire stands for. */
export function pathBytes(text: string): Buffer {
  if (!text.includes(ESCAPE)) return Buffer.from(text);
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPED_BYTE)) {
    parts.push(Buffer.from(text.slice(from, match.index)), Buffer.from(match[1] ?? '', 'hex'));
    from = match.index + match[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}

/** The same for the header of a patch, whose lines need not be UTF-8 either but are shown, not opened. */
export function patchText(bytes: Buffer): string {
  const firstHunk = bytes.indexOf('\n@@ ');
  if (firstHunk < 0) return pathText(bytes);
  return pathText(bytes.subarray(0, firstHunk)) + bytes.toString('utf8', firstHunk);
}

function characterAt(bytes: Buffer, at: number): string | null {
  for (let length = 1; length <= MAX_CHARACTER_BYTES && at + length <= bytes.length; length += 1) {
    try {
      return STRICT.decode(bytes.subarray(at, at + length));
    } catch {
      // It may be longer.
    }
  }
  return null;
}

function escaped(byte: number): string {
  return ESCAPE + byte.toString(16).toUpperCase().padStart(2, '0');
}
