import { ATTACHMENT_LIMIT_BYTES } from '@chirality/contracts';
import { UnreadablePictureError } from './attached-file';
import { bareGif, bareMovingPng, bareMovingWebp, isHeic, pictureType } from './moving-picture';

/** The model looks at no more pixels than this on a side: what is larger is only slower. */
const MAX_SIDE = 2_000;
/** A photograph that a lossless form makes larger than this is no drawing. */
const LARGE_PNG_BYTES = 3 * 1024 * 1024;
const JPEG_QUALITY = 0.9;

/** A drawing by code is a file. */
const SVG = 'image/svg+xml';
const MOVING: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array<ArrayBuffer> | null>> = {
  'image/gif': bareGif,
  'image/png': bareMovingPng,
  'image/webp': bareMovingWebp,
};
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
};

/** The size that fits into a square, never larger than it is. */
export function fittedSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The picture drawn again, no larger than the model can use: what a camera wrote into the file, as the place, is not
 * in it. One that moves keeps its pictures, and loses what was written beside them. Any other file, and a picture
 * that this browser cannot read, as it is; but HEIC, which nothing but a phone's camera makes, is refused there: it
 * says where it was taken, and the model cannot look at it. Throws UnreadablePictureError.
 */
export async function fittedImage(file: File): Promise<File> {
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const type = pictureType(start) ?? (isHeic(start) ? 'image/heic' : file.type);
  if (!type.startsWith('image/') || type === SVG) return file;
  const moving = await bareMovingPicture(file, type);
  if (moving !== null) return moving;
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (image === null) {
    if (type === 'image/heic') throw new UnreadablePictureError();
    return file;
  }
  try {
    const blob = await drawn(image, type);
    return blob === null ? file : new File([blob], renamed(file.name, blob.type), { type: blob.type });
  } finally {
    image.close();
  }
}

async function bareMovingPicture(file: File, type: string): Promise<File | null> {
  // What is too large is refused anyway, and not read before.
  if (!(type in MOVING) || file.size > ATTACHMENT_LIMIT_BYTES) return null;
  const bare = MOVING[type]?.(new Uint8Array(await file.arrayBuffer())) ?? null;
  return bare === null ? null : new File([bare], renamed(file.name, type), { type });
}

async function drawn(image: ImageBitmap, type: string): Promise<Blob | null> {
  const { width, height } = fittedSize(image.width, image.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  const isLossless = type !== 'image/jpeg' && type in ENDINGS;
  const blob = await encoded(canvas, isLossless ? 'image/png' : 'image/jpeg');
  return isLossless && blob !== null && blob.size > LARGE_PNG_BYTES ? encoded(canvas, 'image/webp') : blob;
}

/** A browser that cannot write a form writes PNG. */
function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
}

/** The name says what the file is now. */
export function renamed(name: string, type: string): string {
  const ending = ENDINGS[type] ?? '';
  const isRight = ending === '.jpg' ? /\.jpe?g$/i.test(name) : name.toLowerCase().endsWith(ending);
  return isRight ? name : name.replace(/\.[a-z0-9]{1,5}$/i, '') + ending;
}
