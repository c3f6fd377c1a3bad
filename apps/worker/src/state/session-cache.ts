import { readdir } from 'node:fs/promises';
import type { Sandbox } from '../sandbox';
import { ASIDE_PREFIX } from '../workspace/disk/disk-layout';
import type { Trash } from '../workspace/disk/trash';
import { holdingLock } from '../workspace/disk/workspace-lock';
import type { ScriptRunner } from '../workspace/script/script-runner';
import type { SessionActivity } from './session-activity';
import type { SessionCopies } from './session-copies';

export interface CacheLimits {
  /** Of all copies together, blocks on disk. */
  bytes: number;
  sessions: number;
}

/** `npm install` in a dozen sessions is a few gigabytes; below these figures no copy is ever evicted. */
export const CACHE_LIMITS: CacheLimits = { bytes: 20 * 1024 ** 3, sessions: 500 };

const MEASURE = String.raw`
du -sB1 "$W" 2>/dev/null | cut -f 1
`;
const MEASURE_TIMEOUT_MS = 60_000;

interface Parts {
  copies: SessionCopies;
  activity: SessionActivity;
  scripts: ScriptRunner;
  sandbox: Pick<Sandbox, 'spawn'>;
  trash: Trash;
  limits: CacheLimits;
}

/**
 * Keeps the copies of sessions on a disk bounded: over a limit, copies go, least recently used first, until it is met.
 * Only a copy that is wholly stored, and that nobody works on or has parked a process over, may go; the next turn
 * restores it. What ignored files it had (installed packages, build output) is gone with it. Shared workspaces stay.
 */
export class SessionCache {
  constructor(private readonly parts: Parts) {}

  /** Meets the limits as far as it can. Returns the sessions whose copies are gone. */
  async evict(): Promise<string[]> {
    const { limits } = this.parts;
    const copies = await this.measureAll();
    let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
    let count = copies.length;
    const evicted: string[] = [];
    for (const copy of copies.sort((one, other) => one.lastUsedAt - other.lastUsedAt)) {
      if (bytes <= limits.bytes && count <= limits.sessions) break;
      if (!(await this.evictOne(copy.sessionId))) continue;
      bytes -= copy.bytes;
      count -= 1;
      evicted.push(copy.sessionId);
    }
    return evicted;
  }

  /** Removes what a crash left half built. Call before the first session is prepared. */
  async sweepUnfinished(): Promise<void> {
    const { copies, trash } = this.parts;
    for (const root of [copies.layout.sessions, copies.layout.shared, copies.layout.projects]) {
      for (const name of await namesIn(root)) if (name.startsWith(ASIDE_PREFIX)) await trash.discard(`${root}/${name}`);
    }
    trash.emptyLater();
  }

  private async measureAll(): Promise<{ sessionId: string; lastUsedAt: number; bytes: number }[]> {
    const { copies, scripts } = this.parts;
    const measured = [];
    for (const sessionId of await namesIn(copies.layout.sessions)) {
      const lastUsedAt = await copies.lastUsedAt(sessionId);
      if (lastUsedAt === null) continue;
      const mounts = { workspace: copies.layout.session(sessionId).dir, workspaceReadOnly: true };
      const size = await scripts.run({ text: MEASURE, mounts, timeoutMs: MEASURE_TIMEOUT_MS, maxOutputBytes: 1_024 }).catch(() => null);
      measured.push({ sessionId, lastUsedAt, bytes: Number(size?.stdout.toString('utf8').trim()) || 0 });
    }
    return measured;
  }

  private async evictOne(sessionId: string): Promise<boolean> {
    const { activity, copies, sandbox, trash } = this.parts;
    if (activity.isBusy(sessionId)) return false;
    return activity.mutex.run(sessionId, async () => {
      const copy = await copies.find(sessionId);
      if (!copy || copy.meta.condition !== 'clean' || copy.meta.workspaceChanged || activity.isLive(sessionId)) return false;
      const { dir } = copy.directories;
      const lock = { file: copies.layout.lockFile(sessionId), anchor: dir };
      return holdingLock(sandbox, lock, () => trash.discard(dir)).then(
        () => true,
        () => false,
      );
    });
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
