import type { BlobStore } from '@chirality/platform';

/** A blob store that takes nothing under a prefix until it heals. */
export function failingBlobs(blobs: BlobStore, prefix: string): BlobStore & { heal(): void } {
  let full = true;
  return {
    put: async (key, content) => {
      if (!full || !key.startsWith(prefix)) return blobs.put(key, content);
      if (!Buffer.isBuffer(content)) content.resume();
      throw new Error('no space left');
    },
    get: (key) => blobs.get(key),
    delete: (prefix) => blobs.delete(prefix),
    exists: (key) => blobs.exists(key),
    sweep: (prefix, idleMs) => blobs.sweep(prefix, idleMs),
    sweepIncoming: (idleMs) => blobs.sweepIncoming(idleMs),
    heal: () => {
      full = false;
    },
  };
}
