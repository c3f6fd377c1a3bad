const ELLIPSIS = '…';

/**
 * `text` cut to at most `maxChars` UTF-16 units, the last of which is an ellipsis when something was cut.
 * Never splits a surrogate pair, so the result is valid wherever the input was.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars <= 0) return '';
  return headOf(text, maxChars - ELLIPSIS.length) + ELLIPSIS;
}

/** The longest start of `text` within `maxChars` UTF-16 units that does not end in half a surrogate pair. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(0, maxChars);
  return text.slice(0, splitsPair(text, end) ? end - 1 : end);
}

/** The longest end of `text` within `maxChars` UTF-16 units that does not begin in half a surrogate pair. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - Math.max(0, maxChars);
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** One line for a list or a title: runs of white space become one space, then `cutText`. */
export function previewText(text: string, maxChars: number): string {
  return cutText(
    headOf(text, maxChars * 8)
      .replace(/\s+/gu, ' ')
      .trim(),
    maxChars,
  );
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
