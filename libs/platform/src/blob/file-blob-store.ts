import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blobKeySegments } from './blob-key';
import type { BlobStore } from './blob-store';

/** No key begins with a dot. */
const INCOMING = '.incoming';

/** Blobs as files (mode 0600) under one directory: written aside, flushed, renamed into place. */
export class FileBlobStore implements BlobStore {
  constructor(private readonly root: string) {}

  async put(
    key: string,
    content: Readable | Buffer,
    { mayBeLost = false }: { mayBeLost?: boolean } = {},
  ): Promise<{ bytes: number }> {
    const path = this.pathOf(key);
    const aside = join(this.root, INCOMING, randomBytes(12).toString('hex'));
    try {
      // Directories are there nearly always.
      const file = await makingDirectory(aside, () => open(aside, 'wx', 0o600));
      const bytes = await fill(file, content, !mayBeLost);
      await makingDirectory(path, () => rename(aside, path));
      if (!mayBeLost) await flushDirectory(dirname(path));
      return { bytes };
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return file.createReadStream();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async delete(prefix: string): Promise<void> {
    await rm(this.pathOf(prefix), { recursive: true, force: true });
  }

  async exists(key: string): Promise<boolean> {
    try {
      return (await stat(this.pathOf(key))).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async sweep(prefix: string, idleMs: number): Promise<void> {
    await sweepDirectory(this.pathOf(prefix), idleMs);
  }

  async sweepIncoming(idleMs: number): Promise<void> {
    await sweepDirectory(join(this.root, INCOMING), idleMs);
  }

  private pathOf(key: string): string {
    return join(this.root, ...blobKeySegments(key));
  }
}

async function sweepDirectory(directory: string, idleMs: number): Promise<void> {
  const names = await readdir(directory).catch(emptyWhenMissing<string[]>([]));
  for (const name of names) {
    const path = join(directory, name);
    const found = await stat(path).catch(emptyWhenMissing(null));
    if (found && Date.now() - found.mtimeMs > idleMs) await rm(path, { recursive: true, force: true });
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function emptyWhenMissing<T>(empty: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return empty;
    throw error;
  };
}

async function makingDirectory<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return act();
  }
}

/** Writes the content, flushes it if wanted, and closes the file. */
async function fill(file: FileHandle, content: Readable | Buffer, flush: boolean): Promise<number> {
  if (!Buffer.isBuffer(content)) {
    const target = file.createWriteStream({ flush });
    await pipeline(content, target);
    return target.bytesWritten;
  }
  try {
    await file.writeFile(content);
    if (flush) await file.sync();
    return content.length;
  } finally {
    await file.close();
  }
}

/** Without it a crash may forget the rename although the content was flushed. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
