import type { FileContent } from '@chirality/contracts';

/**
 * Whether a file is not to be read as text: its bytes are no UTF-8, it has a NUL, which text never has, or it is a PDF,
 * which may be all of text.
 */
export function isBinary({ encoding, content }: Pick<FileContent, 'encoding' | 'content'>): boolean {
  return encoding === 'base64' || content.startsWith('%PDF-') || content.includes('\0');
}
