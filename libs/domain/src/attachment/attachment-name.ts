const MAX_BYTES = 180;
/** Control characters, and those that turn the direction of text: a name must look like what it is. */
const UNFIT = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Of a file that is packed, both. */
const ENDING = /(?<=.)(\.tar)?\.[^.]{1,11}$/u;

/** A file name made of what a client sent: one segment, printable, at most 180 bytes of UTF-8, never empty. */
export function attachmentName(given: string): string {
  const last = given
    .toWellFormed()
    .replaceAll('\\', '/')
    .split('/')
    .findLast((segment) => segment.trim() !== '');
  const name = (last ?? '').replace(UNFIT, '_').trim();
  return name === '' || name === '.' || name === '..' ? 'file' : fitted(name, '');
}

/** The name, or the next one like it, as `data-2.csv`, that is not taken. */
export function freeAttachmentName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) candidate = fitted(name, `-${number}`);
  return candidate;
}

/** The suffix comes before the ending; what is too long is cut before both. */
function fitted(name: string, suffix: string): string {
  const [last = ''] = ENDING.exec(name) ?? [];
  const ending = suffix + last;
  let stem = name.slice(0, name.length - last.length);
  while (bytesOf(stem + ending) > MAX_BYTES) stem = Array.from(stem).slice(0, -1).join('');
  return stem + ending;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
