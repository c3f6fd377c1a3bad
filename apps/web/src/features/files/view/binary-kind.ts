import type { FileContent } from '@chirality/contracts';

type BinaryKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

const BEGINNINGS: [RegExp, BinaryKind][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
];
/** A multiple of four characters of base64, which is more than any beginning has. */
const HEAD_CHARS = 64;

/** What a file is by its first bytes, whatever its name says; null for what is not shown as itself. */
export function binaryKind({ encoding, content }: Pick<FileContent, 'encoding' | 'content'>): BinaryKind | null {
  const begin = content.slice(0, HEAD_CHARS);
  const head = encoding === 'base64' ? atob(begin) : begin;
  return BEGINNINGS.find(([beginning]) => beginning.test(head))?.[1] ?? null;
}
