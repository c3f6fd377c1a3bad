type ImageSize = { width: number; height: number };

/** Pixels of a picture by the beginning of its file; null where that does not say, so it is no picture to rely on. */
export function imageSize(head: Buffer, mediaType: string): ImageSize | null {
  const size = SIZES[mediaType]?.(head) ?? null;
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

const SIZES: Readonly<Record<string, (head: Buffer) => ImageSize | null>> = {
  'image/png': (head) => (head.length < 24 ? null : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  'image/gif': (head) => (head.length < 10 ? null : { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/webp': sizeOfWebp,
  'image/jpeg': sizeOfJpeg,
};

function sizeOfWebp(head: Buffer): ImageSize | null {
  if (head.length < 30) return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

const FIRST_FRAME = 0xc0;
const LAST_FRAME = 0xcf;
/** Tables and extensions that have numbers among those of frames. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** The frame's header follows segments of any length: those of a camera hold a preview. */
function sizeOfJpeg(head: Buffer): ImageSize | null {
  let at = 2;
  while (at + 9 <= head.length) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
    } else if (marker >= FIRST_FRAME && marker <= LAST_FRAME && !NO_FRAMES.has(marker)) {
      return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    } else {
      at += 2 + Math.max(2, head.readUInt16BE(at + 2));
    }
  }
  return null;
}
