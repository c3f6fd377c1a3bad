import { Inject, Injectable } from '@nestjs/common';
import type { FileContent, FileEntry, Page, Session, WorkspaceDiff, WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import type { Messaging } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import { wholePage } from '../http/json-page';
import { MESSAGING } from '../server/tokens';
import { SessionAccess } from '../session/session-access';
import { LiveWorkers } from '../worker/live-workers';

const REPLY_LIMIT_MS = 5_000;

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

  async list(who: Principal, sessionId: string, path: string): Promise<Page<FileEntry>> {
    const session = await this.sessions.forReading(who, sessionId);
    return wholePage((await this.ask(session, { act: 'list-files', sessionId: session.id, path })).entries);
  }

  async read(who: Principal, sessionId: string, path: string): Promise<FileContent> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'read-file', sessionId: session.id, path })).file;
  }

  async diff(who: Principal, sessionId: string, base: string | undefined): Promise<WorkspaceDiff> {
    const session = await this.sessions.forReading(who, sessionId);
    return (await this.ask(session, { act: 'diff', sessionId: session.id, ...(base === undefined ? {} : { base }) })).diff;
  }

  async commit(who: Principal, sessionId: string, message: string): Promise<{ commit: string }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const author = { name: who.user.name, email: who.user.email };
    const { commit } = await this.ask(session, { act: 'commit', sessionId: session.id, message, author });
    await this.audit.note(who, session.teamId, { action: 'session:commit', object: session.id, detail: { commit } });
    return { commit };
  }

  private async ask<J extends WorkspaceJob>(session: Session, job: J): Promise<ReplyTo<J['act']>> {
    const workerId = await this.workers.forWorkspaceOf(session.id);
    if (!workerId) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'No worker is running that could look into the workspace. Start one, or try again in a moment.');
    const reply = await this.messaging.workspaces.request(workerId, job, REPLY_LIMIT_MS);
    if (reply.act === 'refused') throw new ProblemError(reply.code, reply.detail);
    if (reply.act !== job.act) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The worker answered something else than it was asked. Try again in a moment.');
    return reply as ReplyTo<J['act']>;
  }
}
