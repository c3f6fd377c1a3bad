import { closeSync, existsSync, mkdirSync, openSync, utimesSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../workspace/disk/atomic-file';
import { ASIDE_PREFIX, type DiskLayout, type SessionDirectories } from '../../workspace/disk/disk-layout';
import { readRecord, writeRecord } from '../../workspace/disk/record-file';
import { sessionMetaSchema, workspaceMetaSchema, type SessionMeta, type WorkspaceMeta } from '../record/session-meta';

/** A session as it is on this disk. */
export interface SessionCopy {
  meta: SessionMeta;
  workspaceMeta: WorkspaceMeta;
  directories: SessionDirectories;
  /** Where workspace and snapshot are; where it shares them, an empty directory stands for both. */
  home: SessionDirectories;
  /** To be held by every process that works in the workspace. */
  lockFile: string;
}

/** What is recorded of the files of a session that shares them. */
const NO_FILES: WorkspaceMeta = { format: 1, branch: '', baseCommit: '', tree: '' };

/** Finds copies of sessions on this disk and keeps what is recorded about them. */
export class SessionCopies {
  constructor(readonly layout: DiskLayout) {}

  /** Null when there is no copy, or none that was completed. */
  async find(sessionId: string): Promise<SessionCopy | null> {
    const directories = this.layout.session(sessionId);
    const meta = this.readMeta(sessionId);
    if (!meta) return null;
    const lockFile = this.layout.lockFile(meta.sharedWorkspaceId ?? meta.sessionId);
    if (meta.workspace === 'shared') {
      const home = { ...directories, workspace: directories.tmp, snapshot: directories.tmp };
      return { meta, workspaceMeta: NO_FILES, directories, home, lockFile };
    }
    const workspaceMeta = await readWorkspaceMeta(directories);
    return workspaceMeta && { meta, workspaceMeta, directories, home: directories, lockFile };
  }

  /** Like `find`, for a session that was prepared. */
  async get(sessionId: string): Promise<SessionCopy> {
    const copy = await this.find(sessionId);
    if (!copy) throw new Error(`this disk has no copy of ${sessionId}`);
    return copy;
  }

  /** The sessions and shared workspaces that have a directory here, complete or not. */
  async listIds(): Promise<string[]> {
    const roots = [this.layout.sessions, this.layout.shared];
    const names = (await Promise.all(roots.map((root) => readdir(root).catch(() => [])))).flat();
    return names.filter((name) => !name.startsWith(ASIDE_PREFIX));
  }

  /** Null also for a copy of which a directory is gone: it is built again from what is stored. */
  readMeta(sessionId: string): SessionMeta | null {
    const meta = readRecord(this.metaFile(sessionId), sessionMetaSchema);
    if (!meta) return null;
    const { config, tmp, workspace, snapshot } = this.layout.session(sessionId);
    const needed = meta.workspace === 'own' ? [config, tmp, workspace, snapshot] : [config, tmp];
    return needed.every((path) => existsSync(path)) ? meta : null;
  }

  async writeMeta(copy: SessionCopy, changes: Partial<SessionMeta>): Promise<SessionCopy> {
    const meta = { ...copy.meta, ...changes };
    await writeRecord(this.metaFile(meta.sessionId), meta).durable;
    return { ...copy, meta };
  }

  /** Like `writeMeta` for readers on this machine; `durable` resolves when its crash would leave it too. */
  writeMetaAhead({ meta }: SessionCopy, changes: Partial<SessionMeta>): { durable: Promise<void> } {
    return writeRecord(this.metaFile(meta.sessionId), { ...meta, ...changes });
  }

  async writeTree(copy: SessionCopy, tree: string): Promise<SessionCopy> {
    const workspaceMeta = { ...copy.workspaceMeta, tree };
    await writeJsonFile(workspaceFile(copy.home), workspaceMeta);
    return { ...copy, workspaceMeta };
  }

  /** The commit that the session's own work begins at, from which its files are packed and rebuilt. */
  async writeBase(copy: SessionCopy, baseCommit: string): Promise<SessionCopy> {
    const workspaceMeta = { ...copy.workspaceMeta, baseCommit };
    await writeJsonFile(workspaceFile(copy.home), workspaceMeta);
    return { ...copy, workspaceMeta };
  }

  /** Makes sure of the lock file, and that the copy counts as just used. */
  touch(copy: SessionCopy): void {
    const now = new Date();
    this.ensureLockFile(copy);
    utimesSync(this.metaFile(copy.meta.sessionId), now, now);
  }

  private ensureLockFile({ lockFile }: SessionCopy): void {
    const make = () => closeSync(openSync(lockFile, 'a', 0o600));
    try {
      make();
    } catch {
      mkdirSync(this.layout.locks, { recursive: true, mode: 0o700 });
      make();
    }
  }

  /** When the copy was last used, in milliseconds since the epoch; null when there is none. */
  async lastUsedAt(sessionId: string): Promise<number | null> {
    return stat(this.metaFile(sessionId)).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
  }

  private metaFile(sessionId: string): string {
    return metaFile(this.layout.session(sessionId));
  }
}

/** Null also where the files themselves, or the worker's view of them, are gone. */
async function readWorkspaceMeta(home: SessionDirectories): Promise<WorkspaceMeta | null> {
  if (!existsSync(home.workspace) || !existsSync(home.snapshot)) return null;
  return readJsonFile(workspaceFile(home), workspaceMetaSchema);
}

/** The file that completes a session's copy. */
export function metaFile({ dir }: SessionDirectories): string {
  return join(dir, 'meta.ndjson');
}

/** The file that completes a workspace. */
export function workspaceFile({ dir }: SessionDirectories): string {
  return join(dir, 'workspace.json');
}
