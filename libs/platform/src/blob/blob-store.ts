import type { Readable } from 'node:stream';
import { FileBlobStore } from './file-blob-store';

/**
 * Large immutable things by key. A key is written whole or not at all: a reader never sees a part, and what `put`
 * resolved for survives a crash. No key is the folder of another (`a` and `a/b` never both exist).
 */
export interface BlobStore {
  /** Stores the content, replacing what the key had. Rejects with the stream's or the disk's error (ENOSPC); nothing is left then. */
  put(key: string, content: Readable | Buffer): Promise<{ bytes: number }>;
  /** The content, or null where there is none. Deleting meanwhile does not cut a stream that is being read. */
  get(key: string): Promise<Readable | null>;
  /** Deletes the blob of that key and everything under `<prefix>/`; deleting nothing is no error. */
  delete(prefix: string): Promise<void>;
  exists(key: string): Promise<boolean>;
}

/** The store that a `CHIRALITY_BLOB_URL` names; `file:/absolute/path` is the only kind so far. */
export function createBlobStore(url: string): BlobStore {
  const path = /^file:(?:\/\/)?(\/.*)$/.exec(url)?.[1];
  if (path === undefined) throw new Error('a blob URL must be file:/absolute/path');
  return new FileBlobStore(path);
}
