import { isId } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { ActContext } from '../../workspace/act/act-context';
import { ScriptFailure } from '../../workspace/script/script-failure';
import { SCRIPT_EXIT } from '../../workspace/script/script-prelude';
import type { ProjectRecord, ProjectRepository } from '../../workspace/project/project.types';
import type { ProjectRepositories } from '../../workspace/project/project-repositories';
import type { SessionActivity } from '../copy/session-activity';
import type { SessionCopies, SessionCopy } from '../copy/session-copies';
import type { SessionOpener } from './session-opener';
import { filesOf, type SessionRecord } from '../record/session-record';
import { decideState } from '../record/state-decision';
import { fenceOfKey } from '../record/state-key';
import type { StateKeeper } from './state-keeper';
import type { StatePointer, StatePointers } from '../record/state-pointers';

type ActWorkspace = ActContext['workspace'];

/** Finds the rows that an act on a session needs; null when there is no such session. */
export interface SessionDirectory {
  find(sessionId: string): Promise<{ session: SessionRecord; project: ProjectRecord } | null>;
  findProject(projectId: string): Promise<ProjectRecord | null>;
}

interface Parts {
  workerId: string;
  activity: SessionActivity;
  copies: SessionCopies;
  opener: SessionOpener;
  keeper: StateKeeper;
  pointers: StatePointers;
  projects: ProjectRepositories;
  sessions: SessionDirectory;
  /** Tells the sessions that share files of what a person did to them in one. */
  sharedActs: { noteAct(act: { sharedWorkspaceId: string; sessionId: string }): Promise<void> };
  /** Ends the process that is parked for the session, if there is one, and resolves when it is gone. */
  endParked(sessionId: string): Promise<void>;
  onStoreFailed(sessionId: string, error: unknown): void;
}

/** The project's commit of the moment, and how the session's base moves with what an act did. */
interface BaseOfAct {
  project: { branch: string; baseCommit: string };
  move(commit: string): Promise<void>;
}

interface StoredSession {
  workspace: ActWorkspace;
  project: ProjectRecord;
  repository: ProjectRepository;
}

/** Gives people's acts a session's workspace, its own or the one that it shares, beside the turns in it. */
export class SessionActs {
  constructor(private readonly parts: Parts) {}

  /**
   * The workspace to look at: during a turn here the very one that the turn works in, else the state that counts, built
   * on this disk if need be. Throws NOT_FOUND for an unknown session, and WORKSPACE_NOT_STORED when all that was done
   * in it is on another worker's disk.
   */
  async forReading(sessionId: string): Promise<ActWorkspace> {
    const { activity, copies, opener, workerId } = this.parts;
    const { files, project, pointer } = await this.rowsOf(sessionId);
    const here = activity.isLive(files.id) ? await copies.find(files.id) : null;
    const current = here ?? (await opener.findCurrent(files.id, pointer));
    if (current) return this.workspaceOf(current);
    if (pointer.holderWorkerId !== null && pointer.holderWorkerId !== workerId && isOnlyElsewhere(pointer)) {
      throw new ProblemError(
        'WORKSPACE_NOT_STORED',
        'The worker that ran this session is gone, and what it changed was not stored. Start that worker again to get it back; without it, the next message starts from the project’s files.',
      );
    }
    return activity.mutex.run(files.id, async () => {
      const { copy } = await opener.open(files, project, pointer);
      copies.touch(copy);
      return this.workspaceOf(copy);
    });
  }

  /** The session's project as this worker has it by now. Throws NOT_FOUND for an unknown session. */
  async projectOf(sessionId: string): Promise<ProjectRepository> {
    const { project } = await this.rowsOf(sessionId);
    return this.parts.projects.ensure(project);
  }

  /**
   * Runs `work` on the workspace while no turn can, then stores what it did, also where it failed half-way. Throws
   * TURN_IN_PROGRESS when a turn is live or queued, or began meanwhile, WORKSPACE_IN_USE where the files are shared;
   * what `work` did is then undone with the copy.
   */
  async forWriting<T>(sessionId: string, work: (workspace: ActWorkspace, base: BaseOfAct) => Promise<T>): Promise<T> {
    const { activity, copies, opener, pointers, workerId, endParked } = this.parts;
    const { files, project } = await this.rowsOf(sessionId);
    return activity.mutex.run(files.id, async () => {
      const pointer = await pointers.holdIdle({ sessionId: files.id, workerId });
      if (!pointer) throw turnInProgress(files);
      await endParked(sessionId);
      const { copy, repository, decision } = await opener.open(files, project, pointer);
      copies.touch(copy);
      const fence = (decision.lost ? fenceOfKey(pointer.key) : pointer.lastRunFence) ?? 0n;
      let changed = await copies.writeMeta(copy, {
        condition: 'unstored',
        workspaceChanged: true,
        fence: String(fence),
      });
      const base = {
        project: { branch: repository.branch, baseCommit: repository.baseCommit },
        move: async (commit: string) => void (changed = await copies.writeBase(changed, commit)),
      };
      const result = await work(await this.workspaceOf(copy), base).catch(async (error: unknown) => {
        if (leftUntouched(error)) await copies.writeMeta(copy, {});
        else {
          await this.noteAct(sessionId, files);
          await this.keep(changed, fence, files);
        }
        throw error;
      });
      await this.noteAct(sessionId, files);
      if (!(await this.keep(changed, fence, files))) throw turnInProgress(files);
      return result;
    });
  }

  /**
   * Runs `work` on what is stored of the session, to be read, while no turn can change it here. What could not be
   * stored before is stored first. Throws TURN_IN_PROGRESS when a turn is live or queued.
   */
  async whileStored<T>(sessionId: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    const { activity, copies, opener, pointers, workerId } = this.parts;
    const { files, project } = await this.rowsOf(sessionId);
    return activity.mutex.run(files.id, async () => {
      const pointer = await pointers.holdIdle({ sessionId: files.id, workerId });
      if (!pointer) throw turnInProgress(files);
      const { copy, repository } = await opener.open(files, project, pointer);
      copies.touch(copy);
      if (copy.meta.condition === 'unstored') await this.keep(copy, BigInt(copy.meta.fence ?? 0), files);
      return work({ workspace: await this.workspaceOf(copy), project, repository });
    });
  }

  /**
   * Stores what the turn of that fence has done up to now, and runs `work` on it, to be read, while the turn waits for
   * it. Where the files are shared, the fence is that of the shared workspace. Throws TURN_IN_PROGRESS when the turn no
   * longer works on them here.
   */
  async whileTurn<T>(
    { sessionId, fence }: { sessionId: string; fence: bigint },
    work: (stored: StoredSession) => Promise<T>,
  ): Promise<T> {
    const { activity, copies, keeper, projects } = this.parts;
    const { files, project } = await this.rowsOf(sessionId);
    return activity.mutex.run(files.id, async () => {
      if (!activity.isAttempt(files.id, fence)) throw turnInProgress(files);
      const copy = await keeper.checkpoint(await copies.get(files.id));
      return work({ workspace: await this.workspaceOf(copy), project, repository: await projects.ensure(project) });
    });
  }

  /** Where the process ends before it, the files are found as cut off, which the next session learns as well. */
  private async noteAct(sessionId: string, { id }: SessionRecord): Promise<void> {
    if (!isId('sharedWorkspace', id)) return;
    const { onStoreFailed, sharedActs } = this.parts;
    await sharedActs
      .noteAct({ sharedWorkspaceId: id, sessionId })
      .catch((error: unknown) => onStoreFailed(sessionId, error));
  }

  /**
   * When storing fails the holder keeps the work until it can. False when another worker took the session over, which
   * loses it.
   */
  private async keep(copy: SessionCopy, fence: bigint, { claudeSessionId }: SessionRecord): Promise<boolean> {
    const { keeper, onStoreFailed, pointers, workerId } = this.parts;
    const outcome = await keeper.store(copy, { fence, claudeSessionId }).catch(async (error: unknown) => {
      const { sessionId } = copy.meta;
      onStoreFailed(sessionId, error);
      await pointers
        .markUnstored({ sessionId, workerId })
        .catch((markError: unknown) => onStoreFailed(sessionId, markError));
      return null;
    });
    return outcome?.stored !== false;
  }

  private async rowsOf(
    sessionId: string,
  ): Promise<{ files: SessionRecord; project: ProjectRecord; pointer: StatePointer }> {
    const rows = await this.parts.sessions.find(sessionId);
    const files = rows && filesOf(rows.session);
    const pointer = files && (await this.parts.pointers.read(files.id));
    if (!rows || !files || !pointer) throw new ProblemError('NOT_FOUND', 'There is no such session.');
    return { files, project: rows.project, pointer };
  }

  private async workspaceOf({ meta, workspaceMeta, home, lockFile }: SessionCopy): Promise<ActWorkspace> {
    const { workspace, snapshot } = home;
    const repository = await this.parts.projects.here(meta.projectId);
    return {
      workspace,
      snapshot,
      objects: this.parts.projects.objectsOf(meta.projectId),
      baseCommit: workspaceMeta.baseCommit,
      projectCommit: repository?.baseCommit ?? null,
      lockFile,
    };
  }
}

/** A turn ran, and there is no stored state at all to build from. */
function isOnlyElsewhere(pointer: StatePointer): boolean {
  const { act, lost } = decideState(null, pointer);
  return lost && act === 'create';
}

/** Thrown before anything is written: what was asked is not possible, or nothing could be started. */
const UNTOUCHED_CODES: ReadonlySet<string> = new Set([
  'VALIDATION_FAILED',
  'TURN_IN_PROGRESS',
  'SANDBOX_UNAVAILABLE',
  'FILE_EXISTS',
  'FILE_CHANGED',
  'GIT_CONFLICT',
]);

/** An act that failed in any other way may have been ended in the middle of its writing. */
function leftUntouched(error: unknown): boolean {
  if (error instanceof ScriptFailure) return error.code === SCRIPT_EXIT.invalid || error.code === SCRIPT_EXIT.notFound;
  return error instanceof ProblemError && UNTOUCHED_CODES.has(error.code);
}

function turnInProgress({ id }: SessionRecord): ProblemError {
  if (isId('sharedWorkspace', id))
    return new ProblemError(
      'WORKSPACE_IN_USE',
      'A turn is running or waiting in the workspace that this session shares. Wait for it to end, or interrupt it.',
    );
  return new ProblemError(
    'TURN_IN_PROGRESS',
    'A turn of this session is running or waiting. Wait for it to end, or interrupt it.',
  );
}
