import { once } from 'node:events';
import type { Entry, ZipFile } from 'yauzl';
import { inParts, refuseClashes } from './zip-clashes';
import { ArchiveFault, pathOfEntry, quoted } from './zip-names';

export interface ArchiveLimits {
  bytes: number;
  entries: number;
}

export interface CheckedEntry {
  path: string;
  kind: 'file' | 'directory' | 'symlink';
  isProgram: boolean;
  entry: Entry;
}

const STORED = 0;
const DEFLATED = 8;
/** More than deflate can do: the sizes are not true, or were made to harm. */
const MAX_RATIO = 1_100;
/** Where a link leads is a path. */
const MAX_LINK_BYTES = 4_096;
const MADE_ON_UNIX = 3;
const MADE_ON_MAC = 19;
const KIND = { mask: 0o170000, file: 0o100000, directory: 0o040000, link: 0o120000 };

/**
 * What the archive's directory lists, checked as a whole before anything is unpacked. What a Mac adds for itself is
 * left out, and so is what is neither file, directory nor link. Throws ArchiveFault.
 */
export async function checkedEntries(zip: ZipFile, limits: ArchiveLimits): Promise<CheckedEntry[]> {
  if (zip.entryCount > limits.entries)
    throw new ArchiveFault('tooLarge', 'it holds more files than a project may have');
  const entries = await listed(zip, limits.entries);
  refuseOverlaps(entries);
  let bytes = 0;
  const checked: CheckedEntry[] = [];
  for await (const part of inParts(entries))
    for (const entry of part) {
      const path = pathOfEntry(entry);
      refuseUnreadable(entry, path);
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes) throw new ArchiveFault('tooLarge', 'it unpacks to more than a project may have');
      const kind = kindOf(entry);
      if (kind === 'other' || path === '' || isOfMac(path)) continue;
      checked.push({ path, kind, isProgram: (modeOf(entry) & 0o111) !== 0, entry });
    }
  if (checked.length === 0) throw new ArchiveFault('invalid', 'there is nothing in it');
  await refuseClashes(checked, limits.entries);
  return checked;
}

async function listed(zip: ZipFile, limit: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  zip.on('entry', (entry: Entry) => {
    entries.push(entry);
    // What it counted may be less than what there is.
    if (entries.length > limit)
      zip.emit('error', new ArchiveFault('tooLarge', 'it holds more files than a project may have'));
    else zip.readEntry();
  });
  const ended = once(zip, 'end');
  zip.readEntry();
  await ended;
  return entries;
}

function refuseUnreadable(entry: Entry, path: string): void {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted())
    throw new ArchiveFault('invalid', `${quoted(path)} is encrypted: make it without a password`);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new ArchiveFault('invalid', `${quoted(path)} is compressed in a way that is not known here`);
  if (uncompressedSize > MAX_RATIO * Math.max(compressedSize, 1))
    throw new ArchiveFault('tooLarge', `${quoted(path)} unpacks to far more than it could be`);
  if (kindOf(entry) === 'symlink' && uncompressedSize > MAX_LINK_BYTES)
    throw new ArchiveFault('invalid', `the link ${quoted(path)} is longer than a path`);
}

/** Entries that share bytes unpack to many times of what the archive has. */
function refuseOverlaps(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of inOrder) {
    if (start < end) throw new ArchiveFault('invalid', 'files in it share their content');
    end = start + compressedSize;
  }
}

function kindOf(entry: Entry): CheckedEntry['kind'] | 'other' {
  const isNamedDirectory = entry.fileNameRaw.at(-1) === 0x2f;
  switch (modeOf(entry) & KIND.mask) {
    case KIND.link:
      return 'symlink';
    case KIND.directory:
      return 'directory';
    case KIND.file:
    case 0:
      return isNamedDirectory ? 'directory' : 'file';
    default:
      return 'other';
  }
}

/** Only systems of that family write one. */
function modeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  const system = versionMadeBy >>> 8;
  return system === MADE_ON_UNIX || system === MADE_ON_MAC ? externalFileAttributes >>> 16 : 0;
}

function isOfMac(path: string): boolean {
  return path.startsWith('__MACOSX/') || path === '__MACOSX';
}
