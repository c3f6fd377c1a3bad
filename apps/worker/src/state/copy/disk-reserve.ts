import { open, rm } from 'node:fs/promises';
import type { DiskSpace } from '@chirality/platform';

const MIB = 1024 * 1024;
const LARGEST_BYTES = 64 * MIB;
/** A small disk gives up at most this share of itself. */
const LARGEST_SHARE = 1 / 20;
/** It is made when the disk has room for so many of it, and let go when there is less than half of one. */
const ROOM_TO_KEEP = 8;

/**
 * Room that is kept back on a worker's disk. A session that filled the disk to its last byte can be opened only by
 * writing something; with this let go, the next turn can clear up what the last one left.
 */
export class DiskReserve {
  constructor(
    private readonly path: string,
    private readonly space: () => Promise<DiskSpace | null>,
  ) {}

  /** Keeps the room back if it is not and the disk has plenty. Never throws. */
  async keep(): Promise<void> {
    const space = await this.space();
    if (!space) return;
    const bytes = sizeFor(space);
    if (space.freeBytes < bytes * ROOM_TO_KEEP) return;
    try {
      const file = await open(this.path, 'wx', 0o600);
      try {
        for (let written = 0; written < bytes; written += MIB)
          await file.write(Buffer.alloc(Math.min(MIB, bytes - written)));
      } finally {
        await file.close();
      }
    } catch {
      // It is there already, or another process filled the disk first: then there is nothing to keep.
    }
  }

  /** Frees the room for the next writer when there is no other. Never throws. */
  async yieldWhenFull(): Promise<void> {
    const space = await this.space();
    if (space && space.freeBytes < sizeFor(space) / 2) await rm(this.path, { force: true }).catch(() => undefined);
  }
}

function sizeFor({ totalBytes }: DiskSpace): number {
  return Math.floor(Math.min(LARGEST_BYTES, totalBytes * LARGEST_SHARE));
}
