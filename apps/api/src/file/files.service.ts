import { Injectable } from '@nestjs/common';
import {
  workspaceLimitMs,
  type CommitList,
  type CommitRequest,
  type DiffQuery,
  type FileContent,
  type FileList,
  type filePatchQuerySchema,
  type fileQuerySchema,
  type WorkspaceDiff,
  type WorkspaceFilePatch,
  type WorkspaceJob,
} from '@chirality/contracts';
import { gitEmailOf } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

export const commitsQuerySchema = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,7}$/)
    .optional(),
});

/** Files of a session, as the worker that holds its workspace reports them. Nothing here opens a file or runs git. */
@Injectable()
export class FilesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly shared: SharedWorkspacesService,
    readonly workers: LiveWorkers,
    private readonly audit: AuditTrail,
    readonly workspaces: WorkspaceClient,
  ) {}

  async list(who: Principal, sessionId: string, query: z.infer<typeof fileQuerySchema>): Promise<FileList> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask({ act: 'list-files', sessionId: session.id, ...query })).list;
  }

  async read(who: Principal, sessionId: string, path: string): Promise<FileContent> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask({ act: 'read-file', sessionId: session.id, path })).file;
  }

  async diff(who: Principal, sessionId: string, query: DiffQuery): Promise<WorkspaceDiff> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask({ act: 'diff', sessionId: session.id, query })).diff;
  }

  async filePatch(
    who: Principal,
    sessionId: string,
    query: z.infer<typeof filePatchQuerySchema>,
  ): Promise<WorkspaceFilePatch> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask({ act: 'file-patch', sessionId: session.id, query })).patch;
  }

  async commits(
    who: Principal,
    sessionId: string,
    { cursor = '0' }: z.infer<typeof commitsQuerySchema>,
  ): Promise<CommitList> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask({ act: 'list-commits', sessionId: session.id, skip: Number(cursor) })).commits;
  }

  async commit(who: Principal, sessionId: string, { message, paths }: CommitRequest): Promise<{ commit: string }> {
    const session = await this.sessions.forWriting(who, sessionId);
    await this.shared.refuseWhileInUse(who, session);
    const author = { name: who.user.name, email: gitEmailOf(who.user.id) };
    const { commit } = await this.ask({
      act: 'commit',
      sessionId: session.id,
      message,
      ...(paths ? { paths } : {}),
      author,
    });
    await this.audit.note(who, session.teamId, { action: 'session:commit', object: session.id, detail: { commit } });
    return { commit };
  }

  private ask<J extends Extract<WorkspaceJob, { sessionId: string }>>(job: J) {
    return askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
  }
}
