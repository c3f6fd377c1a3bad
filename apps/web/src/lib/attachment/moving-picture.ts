/**
 * Pictures that move would lose all pictures but one when they are drawn again. What was written beside them is taken
 * out of their bytes instead: comments, XMP, EXIF and whatever else is no picture.
 */

const LOOPING = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];
const [SCREEN_BYTES, IMAGE_BYTES, APPLICATION_BYTES] = [13, 10, 11];
/** The sub-block that says how often an animation repeats. */
const LOOP_BYTES = 3;

/** A GIF with its pictures, their times and how often they repeat alone. Null where its structure is broken. */
export function bareGif(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const kept: Uint8Array[] = [];
  let hasPicture = false;
  let at = SCREEN_BYTES + tableBytes(bytes[10]);
  kept.push(bytes.subarray(0, at));
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === TRAILER) break;
    if (kind === IMAGE) {
      const data = at + IMAGE_BYTES + tableBytes(bytes[at + 9]) + 1;
      const end = endOfBlocks(bytes, data);
      if (end === null) return null;
      kept.push(bytes.subarray(at, end));
      hasPicture = true;
      at = end;
    } else if (kind === EXTENSION) {
      const end = endOfBlocks(bytes, at + 2);
      if (end === null) return null;
      kept.push(...keptExtension(bytes.subarray(at, end)));
      at = end;
    } else return null;
  }
  return hasPicture ? joined([...kept, Uint8Array.of(TRAILER)]) : null;
}

/** A palette’s size stands in the flags before it. */
function tableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks(bytes: Uint8Array, start: number): number | null {
  let at = start;
  for (;;) {
    const size = bytes[at];
    if (size === undefined) return null;
    at += size + 1;
    if (size === 0) return at;
  }
}

function keptExtension(extension: Uint8Array): Uint8Array[] {
  if (extension[1] === GRAPHIC_CONTROL) return [extension];
  const name = ascii(extension.subarray(3, 3 + APPLICATION_BYTES));
  if (extension[1] !== APPLICATION || extension[2] !== APPLICATION_BYTES || !LOOPING.has(name)) return [];
  const at = 3 + APPLICATION_BYTES;
  const isLoop = extension[at] === LOOP_BYTES && extension[at + 1] === 1;
  return isLoop ? [extension.subarray(0, at + LOOP_BYTES + 1), Uint8Array.of(0)] : [];
}

const WEBP_CHUNKS = new Set(['VP8X', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'ICCP']);
/** Of the flags in `VP8X`: that there is EXIF, XMP, and an animation. */
const [HAS_EXIF, HAS_XMP, MOVES] = [0x08, 0x04, 0x02];

/** A WebP file that moves, without what is no picture in it. Null for one that does not, and where it is broken. */
export function bareMovingWebp(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (ascii(bytes.subarray(12, 16)) !== 'VP8X' || ((bytes[20] ?? 0) & MOVES) === 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (end > bytes.length) return null;
    const chunk = bytes.slice(at, end);
    const name = ascii(chunk.subarray(0, 4));
    if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~(HAS_EXIF | HAS_XMP);
    if (WEBP_CHUNKS.has(name)) kept.push(chunk);
    at = end;
  }
  const all = joined([bytes.slice(0, 12), ...kept]);
  new DataView(all.buffer).setUint32(4, all.length - 8, true);
  return all;
}

/** What a PNG consists of: pictures, their times, colours and transparency. */
const PNG_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'acTL', 'fcTL', 'fdAT'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD'],
]);
const PNG_START_BYTES = 8;
/** A chunk's length and name before its data, and its checksum after it. */
const PNG_CHUNK_BYTES = 12;

/**
 * A PNG that moves, without texts, EXIF, XMP, times and what else is no picture. Null for one that does not move, and
 * where it is broken.
 */
export function bareMovingPng(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [bytes.subarray(0, PNG_START_BYTES)];
  let isMoving = false;
  for (let at = PNG_START_BYTES; at + PNG_CHUNK_BYTES <= bytes.length;) {
    const end = at + PNG_CHUNK_BYTES + view.getUint32(at);
    if (end > bytes.length) return null;
    const name = ascii(bytes.subarray(at + 4, at + 8));
    // Behind the first picture it says nothing, and every program shows that one alone.
    if (name === 'IDAT' && !isMoving) return null;
    isMoving ||= name === 'acTL';
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return isMoving ? joined(kept) : null;
    at = end;
  }
  return null;
}

/** A picture as phones take them, by its first bytes: most browsers cannot read it. */
export function isHeic(bytes: Uint8Array): boolean {
  return ascii(bytes.subarray(4, 8)) === 'ftyp' && HEIC_BRANDS.has(ascii(bytes.subarray(8, 12)));
}

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']);

/** What a picture is by its first bytes, as the server sees it; null for everything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const start = ascii(bytes.subarray(0, 12));
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
