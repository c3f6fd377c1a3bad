import type { FileContent } from '@chirality/contracts';

/** Whether a file is not to be read as text: its bytes are no UTF-8, or it has a NUL, which text never has. */
export function isBinary({ encoding, content }: Pick<FileContent, 'encoding' | 'content'>): boolean {
  return encoding === 'base64' || content.includes('\0');
}
