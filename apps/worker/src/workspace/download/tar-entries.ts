import { pipeline } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import type { ZipEntry } from './zip-stream';

const KIND_MODE: Readonly<Record<string, number>> = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };
/** Keeps every byte of a name as it is. */
const BYTES = 'latin1';
/** The package's own types lack it. */
const OPTIONS = { filenameEncoding: BYTES } as Parameters<typeof extract>[0];

/**
 * The entries of a tar archive in GNU's form, for `zipStream`: files, directories, and links as links. What else is in
 * it is left out. Each entry's content must be read before the next one is asked for.
 */
export async function* tarEntries(archive: AsyncIterable<Buffer>): AsyncGenerator<ZipEntry> {
  const entries = extract(OPTIONS);
  // An error of the archive is the error of what is read below.
  pipeline(archive, entries as unknown as NodeJS.WritableStream, () => undefined);
  for await (const entry of entries) {
    const kind = KIND_MODE[entry.header.type];
    if (kind === undefined || entry.header.type !== 'file') entry.resume();
    if (kind !== undefined)
      yield zipEntryOf(entry.header, kind, entry as AsyncIterable<unknown> as AsyncIterable<Buffer>);
  }
}

function zipEntryOf(header: Header, kind: number, content: AsyncIterable<Buffer>): ZipEntry {
  const { name, type, mode, mtime, size, linkname } = header;
  const common = { name: Buffer.from(name, BYTES), mode: kind | mode, mtime };
  if (type === 'file') return { ...common, bytes: size, content };
  const target = type === 'symlink' ? Buffer.from(linkname, BYTES) : Buffer.alloc(0);
  return { ...common, bytes: target.length, content: onlyOf(target) };
}

async function* onlyOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
