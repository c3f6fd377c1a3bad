import type { Response } from 'express';

const MAX_NAME_CHARS = 150;

/**
 * Makes the answer a download of that name. A browser then never shows it in a tab, whatever is in it, and no cache
 * keeps it.
 */
export function answerAsAttachment(response: Response, name: string, mediaType: string): void {
  response.setHeader('content-type', mediaType);
  response.setHeader('content-disposition', contentDisposition(name));
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
}

/** RFC 6266: the name in ASCII for old clients, and as it is, by RFC 5987. What no file system takes is `_`. */
export function contentDisposition(name: string): string {
  const safe = Array.from(name.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029/\\]/gu, keptOrUnderscore))
    .slice(0, MAX_NAME_CHARS)
    .join('');
  const named = /^\.*$/.test(safe) ? 'download' : safe;
  const ascii = named.replace(/[^\x20-\x7e]|["%;]/gu, '_');
  const encoded = encodeURIComponent(named).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Emoji are joined by a character without width, which is a part of the name. */
function keptOrUnderscore(char: string): string {
  return char === '\u200d' ? char : '_';
}
