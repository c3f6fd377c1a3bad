import { Injectable } from '@nestjs/common';
import {
  isId,
  type CreateSession,
  type HarnessName,
  type ListedSession,
  type Options,
  type Page,
  type Session,
  type UpdateSession,
} from '@chirality/contracts';
import { DeletionRepository, SessionRepository, type OptionChange, type SessionChanges } from '@chirality/database';
import { SessionChannel } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { refuseApprovals, refuseLoosening, UNLESS_MODE } from '../options/refuse-beyond-grant';
import { AccessChanges } from '../access/access-changes';
import { listWithin, originatorOf, type Principal } from '../access/principal';
import { archived, SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';
import { OptionChain } from '../options/option-chain.service';
import { SessionPersonas } from '../options/session-personas';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from '../project/projects.service';
import { ProjectRefreshService } from '../remote/project-refresh.service';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { UNTITLED } from '../turn/session-title';
import { TurnActsService } from '../turn/turn-acts.service';
import { LiveWorkers } from '../worker/live-workers';

type ListQuery = {
  projectId?: string | undefined;
  search?: string | undefined;
  status?: 'waiting' | undefined;
  archived: boolean;
  cursor?: string | undefined;
  limit: number;
};

@Injectable()
export class SessionsService {
  constructor(
    private readonly access: SessionAccess,
    private readonly projects: ProjectsService,
    private readonly refreshes: ProjectRefreshService,
    private readonly sessions: SessionRepository,
    private readonly deletions: DeletionRepository,
    private readonly personas: SessionPersonas,
    private readonly options: OptionChain,
    private readonly acts: TurnActsService,
    private readonly workers: LiveWorkers,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
    private readonly channel: SessionChannel,
    private readonly shared: SharedWorkspacesService,
  ) {}

  async list(
    who: Principal,
    { projectId, search, status, archived: wantsArchived, limit, ...query }: ListQuery,
  ): Promise<Page<ListedSession>> {
    if (projectId !== undefined && !isId('project', projectId)) return { data: [], nextCursor: null };
    const page = await this.sessions.listForUser(who.user.id, {
      ...(projectId ? { projectId } : {}),
      ...(search ? { search } : {}),
      ...(status ? { status } : {}),
      archived: wantsArchived,
      ...cursorOf(query),
      limit,
      within: listWithin(who),
    });
    return { ...page, data: await this.shared.withUse(who, page.data) };
  }

  async create(who: Principal, request: CreateSession): Promise<Session> {
    const project = await this.projects.find(who, request.projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('start sessions', project.teamId);
    if (project.sourceState.status !== 'ready') throw problems.projectNotReady(project.sourceState.status);
    await this.refuseAbsent(request.harness);
    const { mode, workspace, harness, visibility, options, title, awaitsMessage } = request;
    refuseApprovals(who, options);
    await this.options.refuseBeyondLimits(project.id, options);
    const chosen = request.persona
      ? await this.personas.choose({ projectId: project.id, mode }, request.persona)
      : null;
    const baseNotice = await this.refreshes.beforeSession(who, project);
    const session = await this.sessions.create({
      teamId: project.teamId,
      projectId: project.id,
      ownerId: who.user.id,
      title: title ?? UNTITLED,
      persona: chosen?.key ?? null,
      personaOrigin: chosen?.origin ?? null,
      mode,
      workspace,
      harness,
      visibility,
      options,
      baseNotice,
      startedBy: { identityClass: who.identityClass, tokenName: who.token?.name ?? null },
      awaitsMessage,
    });
    // One that awaits its message is in no list, which its first turn changes.
    if (!awaitsMessage) this.channel.publish({ sessionId: session.id, mayBeHidden: false });
    await this.audit.note(who, session.teamId, {
      action: 'session:create',
      object: session.id,
      detail: { projectId: project.id, mode, visibility, workspace },
    });
    return session;
  }

  get(who: Principal, sessionId: string): Promise<Session> {
    return this.access.forReading(who, sessionId);
  }

  /** A token changes the options that it names: what it may not set, it may not remove by leaving it out either. */
  update(who: Principal, sessionId: string, { options, ...request }: UpdateSession): Promise<Session> {
    if (options === undefined) return this.change(who, sessionId, request);
    return this.change(who, sessionId, {
      ...request,
      ...(who.token === undefined ? { options } : { optionChange: options }),
    });
  }

  /** Sets single options and leaves the others as they are at that moment; null removes one. */
  setOptions(who: Principal, sessionId: string, optionChange: OptionChange): Promise<Session> {
    return this.change(who, sessionId, { optionChange });
  }

  /** A change of who may see it is felt by open connections at once. */
  private async change(
    who: Principal,
    sessionId: string,
    { persona, ...rest }: Omit<UpdateSession, 'options'> & Pick<SessionChanges, 'options' | 'optionChange'>,
  ): Promise<Session> {
    const session = await this.access.forManaging(who, sessionId);
    if (rest.harness && rest.harness !== session.harness) await this.refuseAbsent(rest.harness);
    const options = rest.options ?? withoutNulls(rest.optionChange ?? {});
    refuseApprovals(who, options);
    refuseLoosening(who, session.options, rest.optionChange ?? rest.options ?? {});
    await this.options.refuseBeyondLimits(session.projectId, options);
    const chosen = persona ? await this.personas.choose(session, persona) : null;
    const changes: SessionChanges = { ...rest, ...(persona === undefined ? {} : { persona: chosen?.key ?? null }) };
    if (Object.keys(changes).length === 0) return session;
    const updated = await this.sessions.update(session.id, changes, originatorOf(who), {
      personaOrigin: chosen?.origin ?? null,
      ...(who.identityClass === 'agent' && rest.optionChange?.permissionMode ? { unlessMode: UNLESS_MODE } : {}),
    });
    if (!updated) throw archived();
    if (changes.visibility !== undefined) await this.changes.revoke({ sessionId: session.id });
    await this.audit.note(who, session.teamId, {
      action: 'session:update',
      object: session.id,
      detail: { changed: namesOf(changes), ...(changes.visibility ? { visibility: changes.visibility } : {}) },
    });
    return updated;
  }

  private async refuseAbsent(harness: HarnessName): Promise<void> {
    if (!(await this.workers.offers(harness)))
      throw new ProblemError(
        'VALIDATION_FAILED',
        'That harness is not installed here. GET /v1/harnesses lists those that are.',
      );
  }

  /** Ends what runs and closes the session; its files, what it cost and who did what stay. Safe to repeat. */
  async archive(who: Principal, sessionId: string): Promise<void> {
    const session = await this.access.forManaging(who, sessionId);
    const ended = await this.sessions.archive(session.id, originatorOf(who));
    await this.acts.interruptActive(who, session);
    // A process that waits for a next turn hears that there will be none.
    this.changes.tell({ sessionId: session.id });
    if (ended) await this.audit.note(who, session.teamId, { action: 'session:archive', object: session.id });
  }

  /** Also one that was deleted. Throws CONFLICT when it is not archived, or is because its project is. */
  async restore(who: Principal, sessionId: string): Promise<Session> {
    const deleted = await this.deletions.findForUser(knownId('session', sessionId), who.user.id);
    const session = deleted ?? (await this.access.forManaging(who, sessionId));
    if ('status' in session && session.status !== 'archived')
      throw new ProblemError('CONFLICT', 'The session is not archived.');
    if (!(await this.sessions.restore(session.id, originatorOf(who))))
      throw new ProblemError('CONFLICT', 'The session’s project is archived. Restore the project first.');
    this.changes.tell({ sessionId: session.id });
    await this.audit.note(who, session.teamId, { action: 'session:restore', object: session.id });
    return this.access.forReading(who, session.id);
  }
}

function withoutNulls(change: OptionChange): Options {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null));
}

/** As the request has them. */
function namesOf(changes: SessionChanges): string[] {
  return Object.keys(changes).map((name) => (name === 'optionChange' ? 'options' : name));
}
