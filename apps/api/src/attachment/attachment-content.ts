import type { Attachment } from '@chirality/contracts';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from './image-size';

/** So much of a file is looked into: enough for the segments that a camera writes before a picture's size. */
export const LOOKED_AT_BYTES = 256 * 1024;
/** Decoded it would take gigabytes in the sandbox; as a file, tools can still do something with it. */
const MAX_PIXELS = 100_000_000;

type Content = Pick<Attachment, 'kind' | 'mediaType' | 'width' | 'height'>;

/** What a file is by the beginning of its content; its name and what the client says of it are not looked at. */
export async function contentOf(head: Buffer): Promise<Content> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  // An animated one is a PNG to everyone else.
  const mediaType = found?.mime === 'image/apng' ? 'image/png' : found?.mime;
  if (mediaType === undefined) return { kind: 'file', mediaType: isText(head) ? 'text/plain' : UNKNOWN };
  if (mediaType === 'application/pdf') return { kind: 'document', mediaType };
  const size = imageSize(head, mediaType);
  return size !== null && size.width * size.height <= MAX_PIXELS
    ? { kind: 'image', mediaType, ...size }
    : { kind: 'file', mediaType };
}

const UNKNOWN = 'application/octet-stream';

/** The beginning may end within a character. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
