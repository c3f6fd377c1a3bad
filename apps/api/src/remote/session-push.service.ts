import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  PUSH_LIMIT_MS,
  PUSH_LOST_AFTER_MS,
  type PushAnswer,
  type PushRequest,
  type PushState,
  type Session,
} from '@chirality/contracts';
import { SessionPushRepository, type PushRecord } from '@chirality/database';
import { branchNameOf, isBranchNameSafe, pushTargetOf } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { ProjectsService } from '../project/projects.service';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

const LOOK_EVERY_MS = 200;
/** Who asks again within this time gets the answer that the connection may have lost. */
const REPEATED_WITHIN_MS = 30_000;

/** Pushes a session's commits as the person who presses: one at a time, and what the remote has is the answer. */
@Injectable()
export class SessionPushService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly shared: SharedWorkspacesService,
    private readonly projects: ProjectsService,
    private readonly pushes: SessionPushRepository,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
  ) {}

  async read(who: Principal, sessionId: string): Promise<PushState> {
    const session = await this.sessions.forReading(who, sessionId);
    const { source, branchPattern } = await this.projects.find(who, session.projectId);
    const last = await this.pushes.findLastDone(session.id);
    return {
      branch: last?.pushed?.branch ?? branchNameOf(branchPattern, session),
      remote: source.kind === 'git' ? source.url : null,
      last: last?.pushed && last.endedAt ? { ...last.pushed, at: last.endedAt.toISOString() } : null,
    };
  }

  /** Two presses make one push: the second gets the answer of the first. */
  async push(who: Principal, sessionId: string, { branch, force }: PushRequest): Promise<PushAnswer> {
    const session = await this.sessions.forWriting(who, sessionId);
    await this.shared.refuseWhileInUse(who, session);
    const project = await this.projects.find(who, session.projectId);
    if (project.source.kind !== 'git')
      throw new ProblemError('CONFLICT', 'This project has no remote that could be pushed to.');
    if (branch !== undefined && !isBranchNameSafe(branch)) throw unusableBranch();
    const order = {
      sessionId: session.id,
      userId: who.user.id,
      branch: branch ?? null,
      isForced: force !== undefined,
    };
    const { push, isNew } = await this.pushes.begin(order, PUSH_LOST_AFTER_MS);
    if (!isNew) return this.joined(push, order);
    try {
      const pushed = await this.send(who, session, project.branchPattern, push);
      await this.pushes.complete(push.id, pushed, { teamId: session.teamId, userName: who.user.name });
      return pushed;
    } catch (error) {
      await this.pushes.fail(push.id, failureOf(error));
      throw error;
    }
  }

  private async send(who: Principal, session: Session, pattern: string, { order }: PushRecord): Promise<PushAnswer> {
    const last = await this.pushes.findLastDone(session.id);
    const before = last?.pushed ?? null;
    const target = pushTargetOf({ chosen: order.branch, before, isForced: order.isForced, pattern, session });
    const job = {
      act: 'push',
      sessionId: session.id,
      who: { teamId: session.teamId, userId: who.user.id },
      ...target,
    } as const;
    const { pushed, isNew } = await askWorkspace(this, job, PUSH_LIMIT_MS + REPLY_GRACE_MS);
    const isSame = before?.branch === pushed.branch && before.commit === pushed.commit;
    const agoMs = Date.now() - (last?.endedAt?.getTime() ?? 0);
    if (!isNew && isSame && agoMs > REPEATED_WITHIN_MS)
      throw new ProblemError('GIT_NOTHING_TO_PUSH', `The remote’s branch ${pushed.branch} has all of this already.`);
    return pushed;
  }

  private async joined(running: PushRecord, order: PushRecord['order']): Promise<PushAnswer> {
    const { branch, userId, isForced } = running.order;
    if (branch !== order.branch || userId !== order.userId || isForced !== order.isForced)
      throw new ProblemError(
        'CONFLICT',
        'Another push of this session is under way. Wait for its end, then push again.',
      );
    for (
      const startedAt = performance.now();
      performance.now() - startedAt < PUSH_LOST_AFTER_MS;
      await delay(LOOK_EVERY_MS)
    ) {
      const now = await this.pushes.find(running.id);
      if (now?.pushed) return now.pushed;
      if (now?.error) throw new ProblemError(now.error.code, now.error.detail);
    }
    throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The push did not end in time. Push again.');
  }
}

function failureOf(error: unknown) {
  if (error instanceof ProblemError) return { code: error.code, detail: error.detail };
  return { code: 'INTERNAL' as const, detail: 'The push failed on this server. Its log says why.' };
}

function unusableBranch(): ProblemError {
  const message = 'Git takes no branch of that name: no spaces, no ~ ^ : ? * [ \\, no .. and no / at an end.';
  return new ProblemError('VALIDATION_FAILED', message, { errors: [{ path: 'branch', message }] });
}
