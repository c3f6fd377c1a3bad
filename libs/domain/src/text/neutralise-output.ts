const ESC = '\u001b';
/** Operating system commands (titles, clipboard, links) and their kin, up to their end or the line's. */
const STRING_SEQUENCE = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u009c\\n${ESC}]*(?:\u0007|\u009c|${ESC}\\\\)?`,
  'g',
);
/** Colours, cursor moves, erasures. */
const CONTROL_SEQUENCE = new RegExp(`(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`, 'g');
const SHORT_SEQUENCE = new RegExp(`${ESC}[ -/]*[0-~]?`, 'g');
const OTHER_CONTROLS = new RegExp('[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]', 'g');
/** Characters that turn the order in which a line is read. */
const DIRECTION = new RegExp('[\u202a-\u202e\u2066-\u2069]', 'g');

function named(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** What a terminal would show of a line that returns to its start: the last writing wins, and nothing is lost. */
function withoutOverwriting(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/**
 * The output of a program as a terminal would leave it, made harmless to show: escape sequences are gone, other
 * control characters and everything that turns the reading direction are named, lines that overwrite themselves show
 * their last state. It leaves text out, so it is for output only: what is decided on or was written goes through
 * `reveal.ts`. Linear.
 */
export function neutraliseOutput(text: string): string {
  const plain = text
    .replace(STRING_SEQUENCE, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(SHORT_SEQUENCE, '')
    .replace(/\r\n/g, '\n');
  const lines = plain.includes('\r') ? plain.split('\n').map(withoutOverwriting).join('\n') : plain;
  return lines.replace(OTHER_CONTROLS, named).replace(DIRECTION, named);
}
