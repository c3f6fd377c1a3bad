import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, type BlobStore } from '@chirality/platform';
import { ScriptFailure } from '../script/script-failure';
import { SCRIPT_EXIT } from '../script/script-prelude';
import type { ScriptRunner } from '../script/script-runner';
import { FetchFailedError } from './fetch-failure';
import { IMPORT_DIRECTORY } from './project-scripts';
import { UNPACK_UPLOAD } from './unpack-script';

export const UNPACK_LIMITS = { timeoutMs: 600_000, bytes: 1024 ** 3, entries: 200_000 };

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
   * shows.
   */
  async unpack(key: string, directory: string): Promise<{ branch: string; baseCommit: string }> {
    const archive = await this.blobs.get(key);
    if (!archive)
      throw new FetchFailedError({
        code: 'SOURCE_NOT_FOUND',
        detail: 'The archive is no longer in the store. Upload it again.',
      });
    const { timeoutMs, bytes, entries } = this.limits;
    const unpacked = join(directory, 'upload');
    await mkdir(unpacked, { mode: 0o700 });
    try {
      await this.scripts.feed(
        { text: UNPACK_UPLOAD, args: [String(bytes), String(entries)], mounts: { workspace: unpacked }, timeoutMs },
        archive,
      );
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
      const [branch = '', baseCommit = ''] = stdout.toString('utf8').trim().split(' ');
      return { branch, baseCommit };
    } catch (error) {
      throw asFailure(error);
    }
  }
}

function asFailure(error: unknown): unknown {
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
