import type { RecordedWork } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { ProjectRepositories } from '../../workspace/project/project-repositories';
import type { WorkspaceDirectories } from '../../workspace/snapshot/snapshots';
import type { StoredState } from '../store/obsolete-blobs';
import type { SessionCopies, SessionCopy } from '../copy/session-copies';
import { wasStored } from '../record/state-decision';
import { fenceOfKey } from '../record/state-key';
import type { StatePointer, StatePointers } from '../record/state-pointers';
import type { SessionStore } from '../store/session-store';

export type StoreOutcome =
  /** `workspaceTooLarge`: the conversation is stored, the newest files are only here. */
  | { stored: true; stateVersion: number; key: string; workspaceTooLarge: boolean }
  /**
   * `overtaken`: the session's next turn already works on this copy and will store it. `superseded`: another worker has
   * the session.
   */
  | { stored: false; reason: 'overtaken' | 'superseded' };

type Settled = { fence: bigint; claudeSessionId: string | null };

/** Stores copies and moves the pointer to them, which is what makes them count. */
export class StateKeeper {
  /** What could not be stored, by session. */
  private readonly leftovers = new Map<string, Settled>();

  constructor(
    private readonly parts: {
      workerId: string;
      copies: SessionCopies;
      projects: ProjectRepositories;
      pointers: StatePointers;
      sessionStore: SessionStore;
      /** What a workspace has beyond the project, right after it was packed. */
      findUnpushed(view: WorkspaceDirectories, bases: readonly string[]): Promise<RecordedWork>;
      onUnpushedUnknown(sessionId: string, error: unknown): void;
    },
  ) {}

  get leftoverIds(): string[] {
    return [...this.leftovers.keys()];
  }

  /**
   * Stores an `unstored` copy as the version that follows its own. When the pointer has moved on, or another worker
   * holds the session, the copy becomes stale and nothing is stored. When it throws, the copy stays `unstored` and the
   * session is one of the leftovers.
   */
  async store(copy: SessionCopy, settled: Settled): Promise<StoreOutcome> {
    const { sessionId } = copy.meta;
    this.leftovers.set(sessionId, settled);
    const outcome = await this.storeOnce(copy, settled).catch(async (error: unknown) => {
      // Where the database cannot be reached either, the next failure says it.
      await this.parts.pointers
        .noteUnstored({ sessionId, workerId: this.parts.workerId, fromVersion: copy.meta.stateVersion })
        .catch(() => undefined);
      throw error;
    });
    this.leftovers.delete(sessionId);
    return outcome;
  }

  /**
   * Stores what the running attempt has done up to now, as the version that follows the copy's; the attempt continues
   * on the copy. The key names the attempt before it: the work of this one is not whole. A workspace that is too large
   * stays here alone. Throws WORKSPACE_UNAVAILABLE when another worker has the session.
   */
  async checkpoint(copy: SessionCopy): Promise<SessionCopy> {
    const { copies, pointers, sessionStore, workerId } = this.parts;
    const { sessionId, stateVersion, claudeSessionId } = copy.meta;
    const pointer = await pointers.read(sessionId);
    if (pointer?.version !== stateVersion) throw takenOver();
    const fence = fenceOfKey(pointer.key) ?? 0n;
    const written = await this.write(copy, { fence, claudeSessionId }, pointer, true);
    const isWhole = !written.manifest.workspaceIsOlder;
    const move = { sessionId, workerId, fromVersion: pointer.version, key: written.key };
    if (!isWhole || !(await pointers.move(move))) {
      await sessionStore.discard(written);
      if (isWhole) throw takenOver();
      return copy;
    }
    const stored = await copies.writeMeta(copy, { stateVersion: written.manifest.version });
    await sessionStore.forgetOld(written);
    return stored;
  }

  /** Takes an `unstored` copy that an earlier life of this worker left for one of the leftovers. */
  remember({ meta }: SessionCopy): void {
    const { sessionId, fence, claudeSessionId } = meta;
    if (!this.leftovers.has(sessionId)) this.leftovers.set(sessionId, { fence: BigInt(fence ?? 0), claudeSessionId });
  }

  /** Tries a leftover again; does nothing when it was stored meanwhile. */
  async storeAgain(sessionId: string): Promise<void> {
    const settled = this.leftovers.get(sessionId);
    if (settled) await this.store(await this.parts.copies.get(sessionId), settled);
  }

  private async storeOnce(copy: SessionCopy, settled: Settled): Promise<StoreOutcome> {
    const { pointers, sessionStore, workerId } = this.parts;
    const { sessionId, stateVersion, workspaceChanged } = copy.meta;
    const pointer = await pointers.read(sessionId);
    if (pointer && wasStored(copy, pointer)) return this.conclude(copy, await sessionStore.read(pointer));
    if (!pointer || pointer.version !== stateVersion) return this.supersede(copy);
    const written = await this.write(copy, settled, pointer, workspaceChanged);
    const unpushed = workspaceChanged ? await this.lookForUnpushed(copy) : undefined;
    const isTooLarge = written.manifest.workspaceIsOlder;
    const { key } = written;
    // If this throws the row may or may not name the blobs, so they stay; the next call finds out.
    if (
      await pointers.move({
        ...{ sessionId, workerId, fromVersion: pointer.version, key, isTooLarge },
        ...(unpushed !== undefined && { unpushed }),
      })
    )
      return this.conclude(copy, written);
    await sessionStore.discard(written);
    return this.supersede(copy);
  }

  /** Null where it cannot be found out, which holds up no store. */
  private async lookForUnpushed({ meta, workspaceMeta, home }: SessionCopy): Promise<RecordedWork | null> {
    const { projects, findUnpushed, onUnpushedUnknown } = this.parts;
    const { workspace, snapshot } = home;
    try {
      const project = await projects.here(meta.projectId);
      const bases = [...new Set([workspaceMeta.baseCommit, project?.baseCommit ?? workspaceMeta.baseCommit])];
      return await findUnpushed({ workspace, snapshot, objects: projects.objectsOf(meta.projectId) }, bases);
    } catch (error) {
      onUnpushedUnknown(meta.sessionId, error);
      return null;
    }
  }

  private write(
    copy: SessionCopy,
    { fence, claudeSessionId }: Settled,
    pointer: StatePointer,
    workspaceChanged: boolean,
  ): Promise<StoredState> {
    const { projects, sessionStore } = this.parts;
    const { sessionId, projectId } = copy.meta;
    const { branch, baseCommit } = copy.workspaceMeta;
    const { workspace, snapshot } = copy.home;
    const objects = projects.objectsOf(projectId);
    const directories = { workspace, snapshot, config: copy.directories.config, objects };
    return sessionStore.write(
      { sessionId, fence, directories, branch, baseCommit, claudeSessionId, workspaceChanged },
      pointer,
    );
  }

  private async conclude(copy: SessionCopy, stored: StoredState): Promise<StoreOutcome> {
    const { version, workspaceIsOlder, claudeSessionId } = stored.manifest;
    await this.parts.copies.writeMeta(copy, {
      condition: 'clean',
      stateVersion: version,
      workspaceChanged: workspaceIsOlder,
      claudeSessionId,
    });
    await this.parts.sessionStore.forgetOld(stored);
    return { stored: true, stateVersion: version, key: stored.key, workspaceTooLarge: workspaceIsOlder };
  }

  private async supersede(copy: SessionCopy): Promise<StoreOutcome> {
    await this.parts.copies.writeMeta(copy, { condition: 'stale' });
    return { stored: false, reason: 'superseded' };
  }
}

function takenOver(): ProblemError {
  return new ProblemError('WORKSPACE_UNAVAILABLE', 'Another worker has taken this session over.');
}
