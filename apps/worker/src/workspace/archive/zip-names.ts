import type { Entry } from 'yauzl';

const UNICODE_PATH = 0x7075;
/** The field's version and the checksum of the other name stand before the name. */
const UNICODE_PATH_START = 5;
const MADE_ON_DOS = 0;
const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
/** Far deeper than people go; each folder on the way is work for all that follows. */
const MAX_DEPTH = 100;

/** Why an archive cannot be taken: a part of a sentence, which names the entry. */
export class ArchiveFault extends Error {
  constructor(
    readonly kind: 'invalid' | 'tooLarge',
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * The path of an entry, relative, without `.` and without a slash at its end. Many programs write UTF-8 without saying
 * so (bit 11), which is taken where the bytes are UTF-8. Throws ArchiveFault for names in other encodings, which would
 * only be guessed, and for what no project can have.
 */
export function pathOfEntry(entry: Entry): string {
  const text = textOfName(entry);
  const written = entry.versionMadeBy >>> 8 === MADE_ON_DOS ? text.replaceAll('\\', '/') : text;
  const shown = quoted(written);
  if (written.includes('\0')) throw new ArchiveFault('invalid', `the name ${shown} has a NUL character`);
  if (/^([/\\]|[a-z]:[/\\])/i.test(written)) throw new ArchiveFault('invalid', `${shown} is an absolute path`);
  const names = written.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new ArchiveFault('invalid', `${shown} leads out of the archive`);
  if (Buffer.byteLength(written) > MAX_PATH_BYTES || names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    throw new ArchiveFault('invalid', `the name ${shown} is longer than a file system takes`);
  if (names.length > MAX_DEPTH)
    throw new ArchiveFault('invalid', `${shown} lies too deep: a path may have ${String(MAX_DEPTH)} parts`);
  return names.join('/');
}

/** A name of an archive in a sentence: cut, without control characters. */
export function quoted(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
  return `“${visible.length > 100 ? `${visible.slice(0, 100).toWellFormed()}…` : visible}”`;
}

function textOfName({ fileNameRaw, extraFields }: Entry): string {
  const text = utf8Of(fileNameRaw);
  if (text !== null) return text;
  const field = extraFields.find(({ id }) => id === UNICODE_PATH);
  const named = field && utf8Of(field.data.subarray(UNICODE_PATH_START));
  if (named) return named;
  throw new ArchiveFault(
    'invalid',
    `the name ${quoted(fileNameRaw.toString('utf8'))} is not in UTF-8, so it would be guessed: make the archive with names in UTF-8, or as .tar.gz`,
  );
}

function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
