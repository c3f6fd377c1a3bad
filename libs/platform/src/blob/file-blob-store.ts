import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blobKeySegments } from './blob-key';
import type { BlobStore } from './blob-store';

/** Blobs as files (mode 0600) under one directory: written aside, flushed, renamed into place. */
export class FileBlobStore implements BlobStore {
  constructor(private readonly root: string) {}

  async put(key: string, content: Readable | Buffer): Promise<{ bytes: number }> {
    const path = this.pathOf(key);
    const aside = join(this.root, '.incoming', randomBytes(12).toString('hex'));
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
    try {
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
      const target = createWriteStream(aside, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(source, target);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(aside, path);
      await flushDirectory(dirname(path));
      return { bytes: target.bytesWritten };
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

  private pathOf(key: string): string {
    return join(this.root, ...blobKeySegments(key));
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
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
