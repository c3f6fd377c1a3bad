import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { open, type Entry, type Options, type ZipFile } from 'yauzl';
import { checkedEntries, type ArchiveLimits, type CheckedEntry } from './zip-directory';
import { ArchiveFault, quoted } from './zip-names';

const OPTIONS: Options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true, autoClose: false };

/**
 * A zip archive on this disk as a tar archive, for a sandbox that unpacks it. Nothing is passed on before its whole
 * directory was checked; then sizes and checksums are, entry by entry. Throws ArchiveFault, and so does the stream.
 */
export async function zipToTar(path: string, limits: ArchiveLimits): Promise<Readable> {
  const zip = await openZip(path);
  try {
    const entries = await checkedEntries(zip, limits);
    const archive = pack();
    const writing = writeAll(zip, entries, archive).then(
      () => archive.finalize(),
      (error: unknown) => archive.destroy(faultOf(error)),
    );
    void writing.finally(() => zip.close());
    return Readable.from(archive as AsyncIterable<unknown>, { objectMode: false });
  } catch (error) {
    zip.close();
    throw faultOf(error);
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await promisify<string, Options, ZipFile>(open)(path, OPTIONS);
  } catch (error) {
    throw faultOf(error);
  }
}

async function writeAll(zip: ZipFile, entries: readonly CheckedEntry[], archive: Pack): Promise<void> {
  const openEntry = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  for (const { path, kind, isProgram, entry } of entries) {
    const common = { name: path, mtime: entry.getLastModDate({ timezone: 'UTC' }) };
    if (kind === 'directory') {
      archive.entry({ ...common, type: 'directory', mode: 0o755 });
      continue;
    }
    const content = checked(await openEntry(entry), entry, path);
    if (kind === 'symlink') {
      archive.entry({ ...common, type: 'symlink', linkname: await textOf(content, path) });
      continue;
    }
    const mode = isProgram ? 0o755 : 0o644;
    const sink = archive.entry({ ...common, type: 'file', mode, size: entry.uncompressedSize });
    await pipeline(content, sink as unknown as NodeJS.WritableStream);
  }
}

async function* checked(content: Readable, entry: Entry, path: string): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of content) {
      sum = crc32(chunk as Buffer, sum);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw faultOf(error);
  }
  if (sum !== entry.crc32) throw new ArchiveFault('invalid', `${quoted(path)} is damaged`);
}

async function textOf(content: AsyncIterable<Buffer>, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const target = Buffer.concat(chunks).toString('utf8');
  if (target === '' || target.includes('\0'))
    throw new ArchiveFault('invalid', `the link ${quoted(path)} leads nowhere`);
  return target;
}

/** Whatever the reader of the archive stumbles over, it is the archive that is at fault, unless the disk is. */
function faultOf(error: unknown): Error {
  if (error instanceof ArchiveFault) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^(E[A-Z]+)$/.test(code)) return error as Error;
  return new ArchiveFault('invalid', 'it is not a valid .zip archive, or is incomplete');
}
