import { statfsSync } from 'node:fs';

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** A tenth of a disk, or of a large one this much, is what is needed to notice and to make room in time. */
const LOW_SHARE = 0.1;
const LOW_BYTES = 5 * 1024 ** 3;

/** What the disk of that path has, for ordinary users; null where that cannot be found out. */
export async function diskSpace(path: string): Promise<DiskSpace | null> {
  try {
    // The kernel answers from memory, in less time than it takes to ask another thread.
    const { bavail, blocks, bsize } = statfsSync(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Whether an operator should make room before things fail. */
export function isDiskLow({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < Math.min(totalBytes * LOW_SHARE, LOW_BYTES);
}
