import type { Readable } from 'node:stream';
import { FileBlobStore } from './file-blob-store';

/**
 * Large immutable things by key. A key is written whole or not at all: a reader never sees a part, and what `put`
 * resolved for survives a crash, where it was not said that it need not. No key is the folder of another (`a` and `a/b`
 * never both exist).
 */
export interface BlobStore {
  /**
   * Stores the content, replacing what the key had. Rejects with the stream's or the disk's error (ENOSPC); nothing is
   * left then. `mayBeLost`: it is not waited for the disk, and a crash of the machine within the next seconds may leave
   * nothing of it, or a part; for what is only there to be read up, because each flush holds up others' commits.
   */
  put(key: string, content: Readable | Buffer, options?: { mayBeLost?: boolean }): Promise<{ bytes: number }>;
  /** The content, or null where there is none. Deleting meanwhile does not cut a stream that is being read. */
  get(key: string): Promise<Readable | null>;
  /** Deletes the blob of that key and everything under `<prefix>/`; deleting nothing is no error. */
  delete(prefix: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** Deletes each thing right under `<prefix>/` in which nothing was written or deleted for so long. */
  sweep(prefix: string, idleMs: number): Promise<void>;
  /** Deletes what is left of a `put` whose process died, once nothing was written to it for so long. */
  sweepIncoming(idleMs: number): Promise<void>;
}

/** The store that a `CHIRALITY_BLOB_URL` names; `file:/absolute/path` is the only kind so far. */
export function createBlobStore(url: string): BlobStore {
  const path = /^file:(?:\/\/)?(\/.*)$/.exec(url)?.[1];
  if (path === undefined) throw new Error('a blob URL must be file:/absolute/path');
  return new FileBlobStore(path);
}
