import { ProblemError } from '@chirality/platform';
import type { ActContext } from '../../workspace/act/act-context';
import { ScriptFailure } from '../../workspace/script/script-failure';
import { SCRIPT_EXIT } from '../../workspace/script/script-prelude';
import type { ProjectRecord, ProjectRepository } from '../../workspace/project/project.types';
import type { ProjectRepositories } from '../../workspace/project/project-repositories';
import type { SessionActivity } from '../copy/session-activity';
import type { SessionCopies, SessionCopy } from '../copy/session-copies';
import type { SessionOpener } from './session-opener';
import type { SessionRecord } from '../record/session-record';
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

/** Gives people's acts a session's workspace, beside its turns. */
export class SessionActs {
  constructor(private readonly parts: Parts) {}

  /**
   * The workspace to look at: during a turn here the very one that the turn works in, else the state that counts, built
   * on this disk if need be. Throws NOT_FOUND for an unknown session, and WORKSPACE_NOT_STORED when all that was done
   * in it is on another worker's disk.
   */
  async forReading(sessionId: string): Promise<ActWorkspace> {
    const { activity, copies, opener, workerId } = this.parts;
    const { session, project, pointer } = await this.rowsOf(sessionId);
    const here = activity.isLive(sessionId) ? await copies.find(sessionId) : null;
    const current = here ?? (await opener.findCurrent(sessionId, pointer));
    if (current) return this.workspaceOf(current);
    if (pointer.holderWorkerId !== null && pointer.holderWorkerId !== workerId && isOnlyElsewhere(pointer)) {
      throw new ProblemError(
        'WORKSPACE_NOT_STORED',
        'The worker that ran this session is gone, and what it changed was not stored. Start that worker again to get it back; without it, the next message starts from the project’s files.',
      );
    }
    return activity.mutex.run(sessionId, async () => {
      const { copy } = await opener.open(session, project, pointer);
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
   * TURN_IN_PROGRESS when a turn is live or queued, or began meanwhile; what `work` did is then undone with the copy.
   */
  async forWriting<T>(sessionId: string, work: (workspace: ActWorkspace, base: BaseOfAct) => Promise<T>): Promise<T> {
    const { activity, copies, opener, pointers, workerId, endParked } = this.parts;
    const { session, project } = await this.rowsOf(sessionId);
    return activity.mutex.run(sessionId, async () => {
      const pointer = await pointers.holdIdle({ sessionId, workerId });
      if (!pointer) throw turnInProgress();
      await endParked(sessionId);
      const { copy, repository, decision } = await opener.open(session, project, pointer);
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
        else await this.keep(changed, fence, session);
        throw error;
      });
      if (!(await this.keep(changed, fence, session))) throw turnInProgress();
      return result;
    });
  }

  /**
   * Runs `work` on what is stored of the session, to be read, while no turn can change it here. What could not be
   * stored before is stored first. Throws TURN_IN_PROGRESS when a turn is live or queued.
   */
  async whileStored<T>(sessionId: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    const { activity, copies, opener, pointers, workerId } = this.parts;
    const { session, project } = await this.rowsOf(sessionId);
    return activity.mutex.run(sessionId, async () => {
      const pointer = await pointers.holdIdle({ sessionId, workerId });
      if (!pointer) throw turnInProgress();
      const { copy, repository } = await opener.open(session, project, pointer);
      copies.touch(copy);
      if (copy.meta.condition === 'unstored') await this.keep(copy, BigInt(copy.meta.fence ?? 0), session);
      return work({ workspace: await this.workspaceOf(copy), project, repository });
    });
  }

  /**
   * When storing fails the holder keeps the work until it can. False when another worker took the session over, which
   * loses it.
   */
  private async keep(copy: SessionCopy, fence: bigint, { claudeSessionId }: SessionRecord): Promise<boolean> {
    const { activity, keeper, onStoreFailed, pointers, workerId } = this.parts;
    const stored = activity.onWorkspace(copy.meta, () => keeper.store(copy, { fence, claudeSessionId }));
    const outcome = await stored.catch(async (error: unknown) => {
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
  ): Promise<{ session: SessionRecord; project: ProjectRecord; pointer: StatePointer }> {
    const [rows, pointer] = await Promise.all([
      this.parts.sessions.find(sessionId),
      this.parts.pointers.read(sessionId),
    ]);
    if (!rows || !pointer) throw new ProblemError('NOT_FOUND', 'There is no such session.');
    return { ...rows, pointer };
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

function turnInProgress(): ProblemError {
  return new ProblemError(
    'TURN_IN_PROGRESS',
    'A turn of this session is running or waiting. Wait for it to end, or interrupt it.',
  );
}
