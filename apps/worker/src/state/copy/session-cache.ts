import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '@chirality/contracts';
import type { BlobStore } from '@chirality/platform';
import type { Sandbox } from '../../sandbox/sandbox';
import { ASIDE_PREFIX } from '../../workspace/disk/disk-layout';
import type { Trash } from '../../workspace/disk/trash';
import { holdingLock } from '../../workspace/disk/workspace-lock';
import type { ScriptRunner } from '../../workspace/script/script-runner';
import type { SessionActivity } from './session-activity';
import type { SessionCopies } from './session-copies';
import { sessionPrefix } from '../record/state-key';

export interface CacheLimits {
  /** Of all copies together, blocks on disk. */
  bytes: number;
  sessions: number;
  /** With less than this free on the disk, whatever fills it, copies go as well. */
  freeBytes: number;
}

/**
 * `npm install` in a dozen sessions is a few gigabytes; below these figures no copy is ever evicted. What is to be free
 * is more than what turns are ended for.
 */
export const CACHE_LIMITS: CacheLimits = { bytes: 20 * 1024 ** 3, sessions: 500, freeBytes: 1024 ** 3 };

const MEASURE = String.raw`
du -sB1 "$W" 2>/dev/null | cut -f 1
`;
const MEASURE_TIMEOUT_MS = 60_000;
/** Longer than anything is built: another worker on the same disk may be at it. */
const UNFINISHED_AFTER_MS = 3_600_000;

interface Parts {
  copies: SessionCopies;
  activity: SessionActivity;
  scripts: ScriptRunner;
  sandbox: Pick<Sandbox, 'spawn'>;
  trash: Trash;
  blobs: BlobStore;
  /** Which of these sessions and projects were deleted and are gone for good. */
  listPurged(ids: string[]): Promise<string[]>;
  /** Ends the process that is parked for the session, if there is one, and resolves when it is gone. */
  endParked(sessionId: string): Promise<void>;
  limits: CacheLimits;
  /** Of the disk that the copies are on. */
  freeBytes(): Promise<number>;
}

type Measured = { sessionId: string; lastUsedAt: number; bytes: number };

/**
 * Keeps the copies of sessions on a disk bounded: over a limit, copies go, least recently used first, until it is met.
 * Only a copy that is wholly stored, and that neither work nor a warm process uses, may go; the next turn
 * restores it. What ignored files it had (installed packages, build output) is gone with it. A shared workspace is such
 * a copy too, and outlives every session in it.
 */
export class SessionCache {
  constructor(private readonly parts: Parts) {}

  /** Whether the disk has too little room, so that copies should go now. */
  async isCrowded(): Promise<boolean> {
    return (await this.parts.freeBytes()) < this.parts.limits.freeBytes;
  }

  /** Meets the limits as far as it can. Returns the sessions whose copies are gone. */
  async evict(): Promise<string[]> {
    const { limits } = this.parts;
    const copies = await this.measureAll();
    let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
    let count = copies.length;
    const evicted: string[] = [];
    for (const copy of copies.sort((one, other) => one.lastUsedAt - other.lastUsedAt)) {
      if (bytes <= limits.bytes && count <= limits.sessions && !(await this.isCrowded())) break;
      if (!(await this.evictOne(copy))) continue;
      bytes -= copy.bytes;
      count -= 1;
      evicted.push(copy.sessionId);
      // Only what is really gone makes room.
      if (await this.isCrowded()) await this.parts.trash.emptied();
    }
    return evicted;
  }

  /**
   * Deletes what is kept of a session's files and conversation, on this disk and in the blob store. For a session that
   * will have no further turn. Throws TURN_IN_PROGRESS when a process of a turn still works in it.
   */
  async forget(sessionId: string): Promise<void> {
    const { activity, blobs, copies, endParked } = this.parts;
    await activity.mutex.run(sessionId, async () => {
      await endParked(sessionId);
      const { dir } = copies.layout.session(sessionId);
      if (await exists(dir)) await this.discardLocked(sessionId);
      await rm(copies.layout.lockFile(sessionId), { force: true });
      await blobs.delete(sessionPrefix(sessionId));
    });
  }

  /** Deletes the copies of sessions and projects that are gone for good. Returns how many. */
  async forgetPurged(): Promise<number> {
    const { copies, listPurged, trash } = this.parts;
    const { sessions, shared, projects } = copies.layout;
    const names = await Promise.all([sessions, shared, projects].map(namesIn));
    const ids = [...new Set(names.flat())].filter((name) => !name.startsWith(ASIDE_PREFIX));
    let forgotten = 0;
    for (const id of ids.length === 0 ? [] : await listPurged(ids)) {
      // Where a process still works in it, the next round does it.
      if (!isId('project', id))
        await this.forget(id).then(
          () => (forgotten += 1),
          () => undefined,
        );
      else await trash.discard(join(projects, id)).then(() => (forgotten += 1));
    }
    return forgotten;
  }

  /** Removes what crashes left half built. */
  async sweepUnfinished(): Promise<void> {
    const { copies, trash } = this.parts;
    for (const root of [copies.layout.sessions, copies.layout.shared, copies.layout.projects]) {
      for (const name of await namesIn(root))
        if (name.startsWith(ASIDE_PREFIX) && (await isOld(join(root, name)))) await trash.discard(join(root, name));
    }
    trash.emptyLater();
  }

  private async measureAll(): Promise<Measured[]> {
    const { copies, scripts } = this.parts;
    const measured: Measured[] = [];
    for (const sessionId of await copies.listIds()) {
      const lastUsedAt = await copies.lastUsedAt(sessionId);
      if (lastUsedAt === null) continue;
      const mounts = { workspace: copies.layout.session(sessionId).dir, workspaceReadOnly: true };
      const size = await scripts
        .run({ text: MEASURE, mounts, timeoutMs: MEASURE_TIMEOUT_MS, maxOutputBytes: 1_024 })
        .catch(() => null);
      measured.push({ sessionId, lastUsedAt, bytes: Number(size?.stdout.toString('utf8').trim()) || 0 });
    }
    return measured;
  }

  private async evictOne({ sessionId, lastUsedAt }: Measured): Promise<boolean> {
    const { activity, copies } = this.parts;
    if (activity.isBusy(sessionId)) return false;
    return activity.mutex.run(sessionId, async () => {
      const copy = await copies.find(sessionId);
      const mayGo = copy?.meta.condition === 'clean' && !copy.meta.workspaceChanged && !activity.isLive(sessionId);
      if (!mayGo || (await copies.lastUsedAt(sessionId)) !== lastUsedAt) return false;
      return this.discardLocked(sessionId).then(
        () => true,
        () => false,
      );
    });
  }

  private async discardLocked(sessionId: string): Promise<void> {
    const { copies, sandbox, trash } = this.parts;
    const { dir } = copies.layout.session(sessionId);
    await holdingLock(sandbox, { file: copies.layout.lockFile(sessionId), anchor: dir }, () => trash.discard(dir));
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isOld(path: string): Promise<boolean> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > UNFINISHED_AFTER_MS,
    () => false,
  );
}
