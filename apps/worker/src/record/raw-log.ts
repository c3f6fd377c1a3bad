import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { BlobStore } from '@chirality/platform';

const FILES = { raw: 'raw.ndjson', stderr: 'stderr.log' } as const;
/** More than this is not kept of one stream of a turn. */
const MAX_BYTES: Record<keyof typeof FILES, number> = { raw: 256 * 1024 * 1024, stderr: 16 * 1024 * 1024 };

/** It was never flushed here either. */
const MAY_BE_LOST = { mayBeLost: true };

/** Up to this much is moved in one piece. */
const AT_ONCE_BYTES = 256 * 1024;

type RawStream = keyof typeof FILES;

/** Where the raw log of a turn is kept for those who may read it. */
export function rawLogKey(turnId: string, stream: RawStream): string {
  return `turns/${turnId}/${FILES[stream]}`;
}

/**
 * What a turn's processes wrote, byte for byte, before anything was parsed: one file for stdout, one for stderr, over
 * all attempts, readable by the worker alone. A full disk loses the log, never the turn; of a flood the beginning is
 * kept.
 */
export class RawLog {
  private readonly directory: string;
  private readonly streams = new Map<RawStream, WriteStream>();
  private readonly bytes: Record<RawStream, number> = { raw: 0, stderr: 0 };
  private closed = false;

  constructor(
    root: string,
    private readonly turnId: string,
    private readonly onError: (error: Error) => void,
  ) {
    this.directory = join(root, turnId);
  }

  write(stream: RawStream, chunk: Buffer): void {
    // A process that lives on after its turn may still speak: that belongs to no turn.
    if (this.closed) return;
    const before = this.bytes[stream];
    this.bytes[stream] += chunk.length;
    if (before + chunk.length > MAX_BYTES[stream]) {
      if (before <= MAX_BYTES[stream])
        this.onError(new Error(`${FILES[stream]} is longer than ${MAX_BYTES[stream]} bytes: the rest is not kept`));
      return;
    }
    const file = this.streams.get(stream) ?? this.begin(stream);
    if (!file.destroyed && !file.writableEnded) file.write(chunk);
  }

  /**
   * Moves what was written to the blob store and removes the local files. A failure is reported and leaves them in
   * place.
   */
  async store(blobs: BlobStore): Promise<void> {
    this.closed = true;
    try {
      // All are closed, whatever becomes of the first: what a failure leaves in place is files, not open ones.
      const ended = [...this.streams.values()].map((file) => finished(file.end()));
      for (const result of await Promise.allSettled(ended)) if (result.status === 'rejected') throw result.reason;
      for (const name of this.streams.keys()) await this.put(blobs, name);
      await rm(this.directory, { recursive: true, force: true });
    } catch (error) {
      this.onError(error as Error);
    }
  }

  private async put(blobs: BlobStore, name: RawStream): Promise<void> {
    const path = join(this.directory, FILES[name]);
    if (this.bytes[name] <= AT_ONCE_BYTES)
      return void (await blobs.put(rawLogKey(this.turnId, name), await readFile(path), MAY_BE_LOST));
    const handle = await open(path, 'r');
    try {
      await blobs.put(rawLogKey(this.turnId, name), handle.createReadStream({ autoClose: false }), MAY_BE_LOST);
    } finally {
      await handle.close();
    }
  }

  private begin(stream: RawStream): WriteStream {
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.onError(error as Error);
    }
    const file = createWriteStream(join(this.directory, FILES[stream]), { flags: 'a', mode: 0o600 });
    file.on('error', this.onError);
    this.streams.set(stream, file);
    return file;
  }
}
