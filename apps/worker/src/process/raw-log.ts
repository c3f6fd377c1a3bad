import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import type { BlobStore } from '@chirality/platform';

const FILES = { raw: 'raw.ndjson', stderr: 'stderr.log' } as const;
export type RawStream = keyof typeof FILES;

/** Where the raw log of a turn is kept for those who may read it. */
export function rawLogKey(turnId: string, stream: RawStream): string {
  return `turns/${turnId}/${FILES[stream]}`;
}

/**
 * What a turn's processes wrote, byte for byte, before anything was parsed: one file for stdout, one for stderr,
 * readable by the worker alone. A full disk loses the log, never the turn.
 */
export class RawLog {
  private constructor(
    private readonly directory: string,
    private readonly turnId: string,
    private readonly streams: Record<RawStream, WriteStream>,
    private readonly onError: (error: Error) => void,
  ) {
    for (const stream of Object.values(streams)) stream.on('error', onError);
  }

  static async open(root: string, turnId: string, onError: (error: Error) => void): Promise<RawLog> {
    const directory = join(root, turnId);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const open = (name: string) => createWriteStream(join(directory, name), { flags: 'a', mode: 0o600 });
    return new RawLog(directory, turnId, { raw: open(FILES.raw), stderr: open(FILES.stderr) }, onError);
  }

  write(stream: RawStream, chunk: Buffer): void {
    const file = this.streams[stream];
    if (!file.destroyed && !file.writableEnded) file.write(chunk);
  }

  /** Moves both files to the blob store and removes the local ones. A failure is reported and leaves them in place. */
  async store(blobs: BlobStore): Promise<void> {
    try {
      for (const name of Object.keys(FILES) as RawStream[]) {
        const file = this.streams[name];
        if (!file.destroyed) {
          file.end();
          await once(file, 'close');
        }
        await blobs.put(rawLogKey(this.turnId, name), createReadStream(join(this.directory, FILES[name])));
      }
      await rm(this.directory, { recursive: true, force: true });
    } catch (error) {
      this.onError(error as Error);
    }
  }
}
