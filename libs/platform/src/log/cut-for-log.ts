const MESSAGE_CHARS = 200;
const MALFORMED_CHARS = 500;

/** At most 200 characters of what a person or a model wrote, for a log line; what was cut off is counted. */
export function cutForLog(text: string): string {
  return cut(text, MESSAGE_CHARS);
}

/** At most 500 characters of a line that could not be parsed. */
export function cutMalformedForLog(line: string): string {
  return cut(line, MALFORMED_CHARS);
}

function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  // A cut between the halves of a surrogate pair would leave text that cannot be encoded.
  const end = (text.charCodeAt(chars - 1) & 0xfc00) === 0xd800 ? chars - 1 : chars;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
