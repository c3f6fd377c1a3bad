import { createWriteStream } from 'node:fs';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SourceReport } from '@chirality/contracts';
import { ProblemError, type BlobStore } from '@chirality/platform';
import { ArchiveFault } from '../archive/zip-names';
import { zipToTar } from '../archive/zip-to-tar';
import { ScriptFailure } from '../script/script-failure';
import { SCRIPT_EXIT } from '../script/script-prelude';
import type { ScriptRunner } from '../script/script-runner';
import { FetchFailedError } from './fetch-failure';
import { leftOutOf, NOTHING_TO_REPORT } from './left-out';
import { IMPORT_DIRECTORY } from './project-scripts';
import { UNPACK_UPLOAD } from './unpack-script';

export const UNPACK_LIMITS = { timeoutMs: 600_000, bytes: 1024 ** 3, entries: 200_000 };
/** What a tar archive adds to its files: a head for each, and what fills its last block. */
const TAR_BYTES_EACH = 1_536;
/** A zip archive begins with its first file, or where it is empty, with its end. */
const ZIP_BEGINNINGS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];

/**
 * Makes a repository of an uploaded archive: in sandboxes without a network, the second of which sees the files
 * read-only.
 */
export class UploadUnpacker {
  constructor(
    private readonly scripts: ScriptRunner,
    private readonly blobs: BlobStore,
    private readonly limits = UNPACK_LIMITS,
  ) {}

  /**
   * `repo.git` in the directory, as of a directory with these files. Throws FetchFailedError with what the project then
   * shows, and the signal's reason when it was stopped.
   */
  async unpack(
    key: string,
    directory: string,
    stopped?: AbortSignal,
  ): Promise<{ branch: string; baseCommit: string; report: SourceReport }> {
    const isZip = await this.isZip(key);
    const { timeoutMs } = this.limits;
    const unpacked = join(directory, 'upload');
    await mkdir(unpacked, { mode: 0o700 });
    try {
      const printed = isZip
        ? await this.unpackZip(key, unpacked, join(directory, 'upload.zip'), stopped)
        : await this.unpackTar(await this.archive(key), unpacked, { bytes: this.limits.bytes, form: 'gzip', stopped });
      stopped?.throwIfAborted();
      const source = join(unpacked, 'source');
      // It is opened on the host to be mounted, and what an archive made must not say where.
      if (!(await lstat(source)).isDirectory()) throw new Error('what was unpacked is no directory');
      const { stdout } = await this.scripts.run({
        text: IMPORT_DIRECTORY,
        args: [new Date().toISOString()],
        mounts: { workspace: directory, source },
        timeoutMs,
        maxOutputBytes: 64 * 1024,
      });
      const [head = '', ...names] = stdout.toString('utf8').split('\n');
      const [branch = '', baseCommit = ''] = head.split(' ');
      return { branch, baseCommit, report: { ...NOTHING_TO_REPORT, leftOut: leftOutOf(printed, names.join('\n')) } };
    } catch (error) {
      stopped?.throwIfAborted();
      throw asFailure(error);
    }
  }

  private async isZip(key: string): Promise<boolean> {
    for await (const chunk of await this.archive(key))
      return ZIP_BEGINNINGS.some((beginning) => beginning.equals((chunk as Buffer).subarray(0, beginning.length)));
    return false;
  }

  private async archive(key: string): Promise<Readable> {
    const archive = await this.blobs.get(key);
    if (archive) return archive;
    throw new FetchFailedError({
      code: 'SOURCE_NOT_FOUND',
      detail: 'The archive is no longer in the store. Upload it again.',
    });
  }

  /** Its directory stands at its end, so it has to be on a disk. The sandbox that unpacks never sees it. */
  private async unpackZip(key: string, unpacked: string, path: string, stopped?: AbortSignal): Promise<string> {
    const { bytes, entries } = this.limits;
    try {
      await pipeline(await this.archive(key), createWriteStream(path, { mode: 0o600 }), { signal: stopped });
      const archive = await zipToTar(path, { bytes, entries });
      return await this.unpackTar(archive, unpacked, { bytes: bytes + entries * TAR_BYTES_EACH, form: 'tar', stopped });
    } finally {
      await rm(path, { force: true });
    }
  }

  private async unpackTar(
    archive: Readable,
    unpacked: string,
    { bytes, form, stopped }: { bytes: number; form: 'gzip' | 'tar'; stopped: AbortSignal | undefined },
  ): Promise<string> {
    const args = [String(bytes), String(this.limits.entries), form];
    const { timeoutMs } = this.limits;
    return this.scripts.feed(
      { text: UNPACK_UPLOAD, args, mounts: { workspace: unpacked }, timeoutMs, stopped },
      archive,
    );
  }
}

function asFailure(error: unknown): unknown {
  if (error instanceof ArchiveFault) {
    const code = error.kind === 'tooLarge' ? 'SOURCE_TOO_LARGE' : 'SOURCE_INVALID';
    return new FetchFailedError({
      code,
      detail: `The archive cannot be used: ${error.message}. Create it again and upload it.`,
    });
  }
  if (error instanceof ScriptFailure) {
    const code = error.code === SCRIPT_EXIT.tooLarge ? 'SOURCE_TOO_LARGE' : 'SOURCE_INVALID';
    return new FetchFailedError({
      code,
      detail: `The archive cannot be used: ${error.reason}. Create it again and upload it.`,
    });
  }
  if (!(error instanceof ProblemError)) return error;
  if (error.code === 'SANDBOX_UNAVAILABLE')
    return new FetchFailedError({ code: 'SANDBOX_UNAVAILABLE', detail: error.detail });
  return new FetchFailedError({
    code: 'SOURCE_TOO_LARGE',
    detail:
      'The archive could not be unpacked within the limits of time and space. Leave out what can be rebuilt, such as installed packages.',
  });
}
