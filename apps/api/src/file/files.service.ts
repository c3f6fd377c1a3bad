import { Inject, Injectable } from '@nestjs/common';
import { workspaceLimitMs, type CommitList, type CommitRequest, type DiffQuery, type FileContent, type FileList, type filePatchQuerySchema, type fileQuerySchema, type Session, type WorkspaceDiff, type WorkspaceFilePatch, type WorkspaceJob, type WorkspaceReply } from '@chirality/contracts';
import { gitEmailOf } from '@chirality/domain';
import type { Messaging } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { z } from 'zod';
import { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import { MESSAGING } from '../server/tokens';
import { SessionAccess } from '../session/session-access';
import { LiveWorkers } from '../worker/live-workers';

/** The worker gives up before, and says why. */
const REPLY_GRACE_MS = 500;

export const commitsQuerySchema = z.object({ cursor: z.string().regex(/^\d{1,7}$/).optional() });

type ReplyTo<A extends WorkspaceJob['act']> = Extract<WorkspaceReply, { act: A }>;

/** Files of a session, as the worker that holds its workspace tells them. Nothing here opens a file or runs git. */
@Injectable()
export class FilesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly workers: LiveWorkers,
    private readonly audit: AuditTrail,
    @Inject(MESSAGING) private readonly messaging: Messaging,
  ) {}

  async list(who: Principal, sessionId: string, { path, cursor }: z.infer<typeof fileQuerySchema>): Promise<FileList> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'list-files', sessionId: session.id, path, ...(cursor === undefined ? {} : { cursor }) })).list;
  }

  async read(who: Principal, sessionId: string, path: string): Promise<FileContent> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'read-file', sessionId: session.id, path })).file;
  }

  async diff(who: Principal, sessionId: string, query: DiffQuery): Promise<WorkspaceDiff> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'diff', sessionId: session.id, query })).diff;
  }

  async filePatch(who: Principal, sessionId: string, query: z.infer<typeof filePatchQuerySchema>): Promise<WorkspaceFilePatch> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'file-patch', sessionId: session.id, query })).patch;
  }

  async commits(who: Principal, sessionId: string, { cursor = '0' }: z.infer<typeof commitsQuerySchema>): Promise<CommitList> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'list-commits', sessionId: session.id, skip: Number(cursor) })).commits;
  }

  async commit(who: Principal, sessionId: string, { message, paths }: CommitRequest): Promise<{ commit: string }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const author = { name: who.user.name, email: gitEmailOf(who.user.id) };
    const { commit } = await this.ask(session, { act: 'commit', sessionId: session.id, message, ...(paths ? { paths } : {}), author });
    await this.audit.note(who, session.teamId, { action: 'session:commit', object: session.id, detail: { commit } });
    return { commit };
  }

  private async ask<J extends WorkspaceJob>(session: Session, job: J): Promise<ReplyTo<J['act']>> {
    const workerId = await this.workers.forWorkspaceOf(session.id);
    if (!workerId) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'No worker is running that could look into the workspace. Start one, or try again in a moment.');
    const reply = await this.messaging.workspaces.request(workerId, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
    if (reply.act === 'refused') throw new ProblemError(reply.code, reply.detail);
    if (reply.act !== job.act) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The worker answered something else than it was asked. Try again in a moment.');
    return reply as ReplyTo<J['act']>;
  }
}
