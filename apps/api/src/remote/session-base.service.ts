import { Injectable } from '@nestjs/common';
import { workspaceLimitMs, type BaseAnswer, type BaseRequest, type SessionBase } from '@chirality/contracts';
import { conflictMessage, gitEmailOf } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

/** How far a session is behind its project, and the merge that brings it up to date. */
@Injectable()
export class SessionBaseService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly shared: SharedWorkspacesService,
    readonly workers: LiveWorkers,
    private readonly audit: AuditTrail,
    readonly workspaces: WorkspaceClient,
  ) {}

  async read(who: Principal, sessionId: string): Promise<SessionBase> {
    const session = await this.sessions.forReading(who, sessionId);
    const job = { act: 'read-base', sessionId: session.id } as const;
    return (await askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS)).base;
  }

  /** The merge is stored with the session like a commit. Its conflicts are an answer, for a turn may resolve them. */
  async change(who: Principal, sessionId: string, { act }: BaseRequest): Promise<BaseAnswer> {
    const session = await this.sessions.forWriting(who, sessionId);
    await this.shared.refuseWhileInUse(who, session);
    const author = { name: who.user.name, email: gitEmailOf(who.user.id) };
    const job = { act: 'change-base', sessionId: session.id, change: act, author } as const;
    const { outcome, base } = await askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
    if (outcome !== 'up_to_date')
      await this.audit.note(who, session.teamId, {
        action: 'session:base',
        object: session.id,
        detail: { outcome, commit: base.projectCommit },
      });
    const isConflict = outcome === 'conflicts';
    return {
      outcome,
      code: isConflict ? 'GIT_CONFLICT' : null,
      message: isConflict ? conflictMessage(base) : null,
      base,
    };
  }
}
