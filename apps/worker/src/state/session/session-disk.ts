import { ProblemError } from '@chirality/platform';
import type { SessionDirectories } from '../../workspace/disk/disk-layout';
import type { ProjectRepositories } from '../../workspace/project/project-repositories';
import type { ProjectRecord } from '../../workspace/project/project.types';
import type { FileChanges } from '../../workspace/snapshot/file-changes';
import type { Snapshots } from '../../workspace/snapshot/snapshots';
import type { DiskReserve } from '../copy/disk-reserve';
import type { SessionActivity } from '../copy/session-activity';
import type { SessionCopies, SessionCopy } from '../copy/session-copies';
import type { OpenedSession, SessionOpener } from './session-opener';
import { filesOf, type SessionRecord } from '../record/session-record';
import type { StateKeeper, StoreOutcome } from './state-keeper';
import { decideState } from '../record/state-decision';
import { noticeOf, type StateNotice } from '../record/state-notice';
import type { StatePointer, StatePointers } from '../record/state-pointers';

/** A session's copy on this disk, ready for a turn. Host paths. */
export interface PreparedSession extends SessionDirectories {
  /** The project's objects, to be mounted read-only. */
  objects: string;
  /** To be held by every process of a turn. */
  lockFile: string;
  branch: string;
  baseCommit: string;
  stateVersion: number;
  /** The conversation that this copy holds; null to start a new one. */
  claudeSessionId: string | null;
  /** The copy was rebuilt, so a warm process of this session must no longer serve it. */
  restored: boolean;
  notice: StateNotice | null;
}

type ClaimedPointer = Omit<StatePointer, 'holderWorkerId'>;

interface Parts {
  workerId: string;
  reserve: Pick<DiskReserve, 'yieldWhenFull'>;
  activity: SessionActivity;
  copies: SessionCopies;
  opener: SessionOpener;
  keeper: StateKeeper;
  pointers: StatePointers;
  projects: ProjectRepositories;
  snapshots: Snapshots;
}

const SUMMARY_TIMEOUT_MS = 10_000;

type Settled = { sessionId: string; fence: bigint; mutated: boolean; claudeSessionId: string | null };

interface Attempt {
  session: SessionRecord;
  project: ProjectRecord;
  fence: bigint;
  claimed?: ClaimedPointer;
}

/** A copy and what people read of how it came to be. */
type Prepared = OpenedSession & { notice: StateNotice | null };

/**
 * Sessions on a worker's disk, as a turn sees them. The disk is a cache: Postgres says which stored state counts, the
 * blob store has it, and a copy here is used only when it is that state or newer by this disk's own doing. The order of
 * a turn is `prepare`, `markDirty`, the process, `summariseChanges`, settling, `store`; a turn that stores nothing
 * calls `release`. Acts on one session run one after another. Where the session shares its files, each of these is done
 * to two copies, the shared workspace and the session's conversation, in this order.
 */
export class SessionDisk {
  /** The attempts that work in shared workspaces, by session and fence. */
  private readonly sharing = new Map<string, { id: string; fence: bigint }>();

  constructor(private readonly parts: Parts) {}

  /**
   * Makes the copy that a claimed turn works on. Throws WORKSPACE_UNAVAILABLE when another worker has taken the session
   * over or a stored part is missing, WORKING_ROOT_INACCESSIBLE when the project's source cannot be read, and
   * TURN_IN_PROGRESS when a copy to be replaced is still held by a process. `claimed`: the pointer as the claim saw it;
   * `workspaceFence`: the shared workspace's, where there is one.
   */
  async prepare(attempt: Attempt & { workspaceFence?: bigint | null }): Promise<PreparedSession> {
    const { session, project, fence, workspaceFence = null } = attempt;
    await this.parts.reserve.yieldWhenFull();
    const files = filesOf(session);
    if (files === session) {
      const own = await this.prepareCopy(attempt);
      return present(session, own, own);
    }
    if (workspaceFence === null) throw new Error(`the turn of ${session.id} has no fence of its shared workspace`);
    this.sharing.set(attemptKey(session.id, fence), { id: files.id, fence: workspaceFence });
    const shared = await this.prepareCopy({ session: files, project, fence: workspaceFence });
    return present(session, await this.prepareCopy(attempt), shared);
  }

  private async prepareCopy({ session, project, fence, claimed }: Attempt): Promise<Prepared> {
    const { activity, copies, opener, pointers, workerId } = this.parts;
    return activity.mutex.run(session.id, async () => {
      const found = await copies.find(session.id);
      const pointer =
        (claimed && this.stillTrue(found, claimed)) ??
        (await pointers.hold({ sessionId: session.id, workerId, fence }));
      if (!pointer) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'Another worker has taken this session over.');
      const continues = activity.isLive(session.id) || activity.endedHere(session.id);
      const opened = await opener.open(session, project, pointer, { isKept: activity.isKept(session.id), found });
      activity.begin(session.id, fence);
      copies.touch(opened.copy);
      return { ...opened, notice: noticeOf(opened, continues) };
    });
  }

  /**
   * Runs `work` on the session's copy while no turn works on it and none can begin here. Null, and nothing is done,
   * when a turn is live, another worker holds the session, or the copy is not simply what counts: what is to be
   * restored or salvaged is the next turn's to tell people of. Nor is it done where the files are shared: another
   * session may change them at any time.
   */
  async whileIdle<T>(
    { session, project }: { session: SessionRecord; project: ProjectRecord },
    work: (prepared: PreparedSession) => Promise<T>,
  ): Promise<T | null> {
    const { activity, copies, opener, pointers, workerId } = this.parts;
    if (session.sharedWorkspaceId !== null) return null;
    return activity.mutex.run(session.id, async () => {
      const pointer = activity.isLive(session.id) ? null : await pointers.holdIdle({ sessionId: session.id, workerId });
      if (!pointer) return null;
      const { act, lost } = decideState(copies.readMeta(session.id), pointer);
      if (lost || act === 'restore' || act === 'salvage') return null;
      const opened = await opener.open(session, project, pointer);
      copies.touch(opened.copy);
      const own = { ...opened, notice: null };
      return work(present(session, own, own));
    });
  }

  /**
   * The claim's pointer where nothing can have moved it since: the claim made this worker the holder, and only the
   * holder moves it, by storing, which this disk would know of.
   */
  private stillTrue(found: SessionCopy | null, claimed: ClaimedPointer): StatePointer | undefined {
    if (found?.meta.stateVersion !== claimed.version) return undefined;
    const { condition, sessionId } = found.meta;
    const isKnown = condition === 'clean' || (condition === 'dirty' && this.parts.activity.isLive(sessionId));
    return isKnown ? { ...claimed, holderWorkerId: this.parts.workerId } : undefined;
  }

  /**
   * The settled attempt ended in good order, and either nothing of it could change files or `summariseChanges` has seen
   * them: the session's next turn here need not look at the files again, stored or not.
   */
  keep(sessionId: string, fence: bigint): void {
    const shared = this.sharing.get(attemptKey(sessionId, fence));
    if (shared) this.parts.activity.keep(shared.id, shared.fence);
    this.parts.activity.keep(sessionId, fence);
  }

  /**
   * Records, before the process is started or hears of the turn, that this attempt may change the copy. Not before
   * `durable` resolves may anything be changed that a crash of the machine would leave.
   */
  async markDirty(
    sessionId: string,
    { attempt, fence }: { attempt: number; fence: bigint },
  ): Promise<{ durable: Promise<void> }> {
    const shared = this.sharing.get(attemptKey(sessionId, fence));
    const [files, own] = await Promise.all([
      shared && this.markCopyDirty(shared.id, { attempt, fence: shared.fence }),
      this.markCopyDirty(sessionId, { attempt, fence }),
    ]);
    const durable = Promise.all([files?.durable, own.durable]).then(() => undefined);
    // It is awaited much later, or never where the turn does not come to run.
    durable.catch(() => undefined);
    return { durable };
  }

  private async markCopyDirty(
    sessionId: string,
    { attempt, fence }: { attempt: number; fence: bigint },
  ): Promise<{ durable: Promise<void> }> {
    const { activity, copies } = this.parts;
    return activity.mutex.run(sessionId, async () => {
      const copy = await copies.get(sessionId);
      return copies.writeMetaAhead(copy, {
        condition: 'dirty',
        attempt,
        fence: String(fence),
        turnTree: copy.workspaceMeta.tree,
      });
    });
  }

  /**
   * Which files changed since the running turn began, for a turn that ends or was interrupted. Call when nothing of the
   * turn works in the workspace; what a killed git left locked is freed. Throws WORKSPACE_UNAVAILABLE when it
   * takes over 10 s, and TURN_IN_PROGRESS when another session's turn already works in a shared workspace.
   */
  async summariseChanges(sessionId: string): Promise<FileChanges> {
    const { activity, copies, projects, snapshots } = this.parts;
    const sharedWorkspaceId = copies.readMeta(sessionId)?.sharedWorkspaceId ?? null;
    const id = sharedWorkspaceId ?? sessionId;
    return activity.mutex.run(id, async () => {
      const copy = await copies.get(id);
      const { workspace, snapshot } = copy.home;
      // A warm process holds the lock of its session's workspace, and rests.
      const lockFile = sharedWorkspaceId === null ? undefined : copy.lockFile;
      const view = { workspace, snapshot, objects: projects.objectsOf(copy.meta.projectId), lockFile };
      const { tree, changes } = await snapshots.compare(view, copy.meta.turnTree, SUMMARY_TIMEOUT_MS);
      await copies.writeTree(copy, tree);
      return changes;
    });
  }

  /**
   * Stores what the settled attempt left and moves the session's pointer to it. `mutated`: a tool that can change files
   * had started. When it throws, nothing is lost as long as this worker lives: the next turn here uses the copy, and
   * the next `store` has everything.
   */
  async store(settled: Settled): Promise<StoreOutcome> {
    const shared = this.takeSharing(settled.sessionId, settled.fence);
    if (!shared) return this.storeCopy(settled);
    // The other sessions wait for the files.
    const { id: sessionId, fence } = shared;
    const [files, conversation] = await Promise.allSettled([
      this.storeCopy({ ...settled, sessionId, fence, claudeSessionId: null }),
      this.storeCopy({ ...settled, mutated: false }),
    ]);
    if (files.status === 'rejected') throw files.reason;
    if (conversation.status === 'rejected') throw conversation.reason;
    return files.value.stored ? conversation.value : files.value;
  }

  private async storeCopy({ sessionId, fence, mutated, claudeSessionId }: Settled): Promise<StoreOutcome> {
    const { activity, copies, keeper } = this.parts;
    return activity.mutex.run(sessionId, async () => {
      // The next turn has the copy already, and nothing has to be added to what is recorded of it.
      if (!mutated && !activity.isAttempt(sessionId, fence)) return { stored: false, reason: 'overtaken' };
      const copy = await copies.get(sessionId);
      const workspaceChanged = copy.meta.workspaceChanged || mutated;
      if (!activity.end(sessionId, fence) || copy.meta.fence !== String(fence)) {
        if (workspaceChanged !== copy.meta.workspaceChanged) await copies.writeMeta(copy, { workspaceChanged });
        return { stored: false, reason: 'overtaken' };
      }
      const settledCopy = await copies.writeMeta(copy, { condition: 'unstored', workspaceChanged, claudeSessionId });
      return keeper.store(settledCopy, { fence, claudeSessionId });
    });
  }

  /** The attempt is over and stores nothing: another worker owns the session, or no process was started. */
  release(sessionId: string, fence: bigint): void {
    const shared = this.takeSharing(sessionId, fence);
    if (shared) this.parts.activity.release(shared.id, shared.fence);
    this.parts.activity.release(sessionId, fence);
  }

  private takeSharing(sessionId: string, fence: bigint): { id: string; fence: bigint } | undefined {
    const shared = this.sharing.get(attemptKey(sessionId, fence));
    this.sharing.delete(attemptKey(sessionId, fence));
    return shared;
  }

  /**
   * Finds what an earlier life of this worker settled and could not store, for `storeLeftovers`. Call before the first
   * turn.
   */
  async findLeftovers(): Promise<void> {
    const { copies, keeper } = this.parts;
    for (const sessionId of await copies.listIds()) {
      const copy = await copies.find(sessionId);
      if (copy?.meta.condition === 'unstored') keeper.remember(copy);
    }
  }

  /**
   * Tries again what could not be stored, for sessions at rest. Returns how many are still not stored; never throws.
   */
  async storeLeftovers(): Promise<number> {
    const { activity, keeper } = this.parts;
    for (const sessionId of keeper.leftoverIds) {
      const again = () => (activity.isLive(sessionId) ? Promise.resolve() : keeper.storeAgain(sessionId));
      await activity.mutex.run(sessionId, again).catch(() => undefined);
    }
    return keeper.leftoverIds.length;
  }
}

/** `own` is what holds the conversation, `files` what holds the workspace: the same where it is not shared. */
function present(session: SessionRecord, own: Prepared, files: Prepared): PreparedSession {
  const { branch, baseCommit } = files.copy.workspaceMeta;
  const { decision, copy } = own;
  const restored = isRestored(own) || isRestored(files);
  const claudeSessionId = decision.lost || isRestored(own) ? copy.meta.claudeSessionId : session.claudeSessionId;
  const { workspace, snapshot } = files.copy.home;
  return {
    ...copy.directories,
    workspace,
    snapshot,
    objects: files.repository.objects,
    lockFile: files.copy.lockFile,
    branch,
    baseCommit,
    stateVersion: copy.meta.stateVersion,
    claudeSessionId,
    restored,
    notice: own.notice ?? files.notice,
  };
}

function isRestored({ decision }: OpenedSession): boolean {
  return decision.act === 'restore' || (decision.act === 'create' && decision.lost);
}

function attemptKey(sessionId: string, fence: bigint): string {
  return `${sessionId}/${fence}`;
}
