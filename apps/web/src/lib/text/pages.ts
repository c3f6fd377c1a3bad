/** Cuts a text into pieces of about this length, never inside a character or a line end. */
export function pagesOf(text: string, length: number): string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + length, text.length);
    if (isLowHalf(text.charCodeAt(to)) || text[to] === '\n') to += 1;
    pages.push(text.slice(from, to));
    from = to;
  }
  return pages;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
