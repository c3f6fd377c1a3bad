import { Injectable } from '@nestjs/common';
import { isId, type Deletion, type Page, type Turn } from '@chirality/contracts';
import { DeletionRepository, PurgeRepository, SessionRepository, TurnRepository } from '@chirality/database';
import { SessionChannel } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import { originatorOf, type Principal } from '../access/principal';
import { projectPolicy } from '../access/project.policy';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';
import { ProjectArchiveService } from '../project/project-archive.service';
import { ProjectsService } from '../project/projects.service';
import { TurnActsService } from '../turn/turn-acts.service';
import { TurnWatch } from '../turn/turn-watch';
import { DeletionCleaner } from './deletion-cleaner';

/** How long the end of what runs is waited for. */
const END_MS = 30_000;

type ListQuery = {
  teamId?: string | undefined;
  projectId?: string | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** Deleting with a way back: first what runs is ended, then it exists nowhere but here, and after a while not here. */
@Injectable()
export class DeletionsService {
  constructor(
    private readonly access: SessionAccess,
    private readonly projects: ProjectsService,
    private readonly archives: ProjectArchiveService,
    private readonly sessions: SessionRepository,
    private readonly turns: TurnRepository,
    private readonly acts: TurnActsService,
    private readonly watch: TurnWatch,
    private readonly deletions: DeletionRepository,
    private readonly purges: PurgeRepository,
    private readonly cleaner: DeletionCleaner,
    private readonly changes: AccessChanges,
    private readonly channel: SessionChannel,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, { teamId, projectId, limit, ...query }: ListQuery): Promise<Page<Deletion>> {
    return this.deletions.listForUser(who.user.id, { teamId, projectId, ...cursorOf(query), limit });
  }

  async deleteSession(who: Principal, sessionId: string): Promise<Deletion> {
    const session = await this.access.forManaging(who, sessionId);
    // No turn begins from here on. Where the server dies before the next step, it is archived, with all its files.
    await this.sessions.archive(session.id, originatorOf(who));
    await this.ended(await this.acts.interruptActive(who, session));
    if (!(await this.deletions.deleteSession(session.id, deleterOf(who)))) throw stillRunning();
    await this.changes.revoke({ sessionId: session.id });
    this.channel.publish({ sessionId: session.id, mayBeHidden: true });
    const deleted = await this.found(who, session.id);
    await this.audit.note(who, session.teamId, {
      action: 'session:delete',
      object: session.id,
      detail: { files: deleted.work?.files?.count ?? null, commits: deleted.work?.commits?.count ?? null },
    });
    return deleted;
  }

  async deleteProject(who: Principal, projectId: string): Promise<Deletion> {
    const { project, isArchived } = await this.projects.findAlsoArchived(who, projectId);
    if (!projectPolicy.archive(who, project)) throw problems.forbidden('delete this project', project.teamId);
    const running = await this.turns.listActiveSessions(project.id);
    if (!isArchived) await this.archives.archive(who, project.id);
    for (const id of running) await this.ended(await this.acts.interruptActive(who, { id, teamId: project.teamId }));
    if (!(await this.deletions.deleteProject(project.id, deleterOf(who)))) throw stillRunning();
    await this.changes.revoke({});
    for (const sessionId of await this.deletions.listSessions(project.id))
      this.channel.publish({ sessionId, mayBeHidden: true });
    await this.audit.note(who, project.teamId, {
      action: 'project:delete',
      object: project.id,
      detail: { name: project.name },
    });
    return this.found(who, project.id);
  }

  /** For good, now. A person does that, never a program in their name. */
  async purge(who: Principal, deletedId: string): Promise<void> {
    const isOne = isId('session', deletedId) || isId('project', deletedId);
    const deleted = isOne ? await this.deletions.findForUser(deletedId, who.user.id) : null;
    if (!deleted) throw problems.notFound('deleted session or project');
    if (who.identityClass !== 'human') throw problems.forbidden('delete this for good', deleted.teamId);
    if (!(await this.purges.purge(deleted))) throw problems.notFound('deleted session or project');
    await this.audit.note(who, deleted.teamId, {
      action: `${deleted.kind}:purge`,
      object: deleted.id,
      detail: { name: deleted.name },
    });
    this.cleaner.emptySoon();
  }

  private async ended(turn: Turn | null): Promise<void> {
    if (turn) await this.watch.untilFinal(turn, undefined, END_MS);
  }

  private async found(who: Principal, id: string): Promise<Deletion> {
    const deleted = await this.deletions.findForUser(id, who.user.id);
    // Restored or purged in the same moment.
    if (!deleted) throw problems.notFound('deleted session or project');
    return deleted;
  }
}

const deleterOf = ({ user }: Principal) => ({ userId: user.id, name: user.name });

function stillRunning(): ProblemError {
  return new ProblemError(
    'TURN_IN_PROGRESS',
    'A turn is being stopped. It takes no more messages; delete it again in a moment.',
  );
}
