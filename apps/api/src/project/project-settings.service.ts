import { Injectable } from '@nestjs/common';
import type { Project, UpdateProject } from '@chirality/contracts';
import { ProjectRepository, type ProjectChanges, type ProjectRecord } from '@chirality/database';
import { limitsInForce, whyNoBranchPattern } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail, type AuditedAct } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { refuseBeyond } from '../options/refuse-beyond';
import { PolicySignals } from './policy-signals';
import { ProjectMembersService } from './project-members.service';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService, shownProject } from './projects.service';

/** Name, defaults and policy of a project; each kind of change is recorded as what it is. */
@Injectable()
export class ProjectSettingsService {
  constructor(
    private readonly access: ProjectsService,
    private readonly projects: ProjectRepository,
    private readonly audit: AuditTrail,
    private readonly signals: PolicySignals,
    private readonly members: ProjectMembersService,
  ) {}

  /** All of the request or nothing of it. */
  async update(who: Principal, projectId: string, request: UpdateProject): Promise<Project> {
    const project = await this.access.find(who, projectId);
    refuseWhatIsNotTheirs(who, project, request);
    refuseUnusablePattern(request.branchPattern);
    await this.refuseBeyondLimits(project, request);
    const changes = changesOf(who, request);
    if (Object.keys(changes).length === 0) return this.shown(who, project, request);
    const changed = await this.projects.update(project.id, changes);
    if (!changed) throw contradiction();
    await this.signals.changed(project.id);
    for (const act of actsOf(project, changed)) await this.audit.note(who, project.teamId, act);
    return this.shown(who, changed, request);
  }

  /** Who has it is changed last, and is felt by open connections at once. */
  private async shown(who: Principal, project: ProjectRecord, { visibility }: UpdateProject): Promise<Project> {
    if (visibility === undefined || visibility === project.visibility) return shownProject(who, project);
    await this.members.setVisibility(who, project, visibility);
    return shownProject(who, await this.access.find(who, project.id));
  }

  /** A project's limits stay within its team's, its defaults within both. */
  private async refuseBeyondLimits(project: ProjectRecord, { options, limits }: UpdateProject): Promise<void> {
    if (options === undefined && limits === undefined) return;
    const { team } = (await this.projects.findDefaults(project.id)).limits;
    refuseBeyond(limits ?? {}, limitsInForce({ team }), 'limits');
    refuseBeyond(options ?? {}, limitsInForce({ project: limits ?? project.limits, team }));
  }
}

function contradiction(): ProblemError {
  return new ProblemError(
    'CONFLICT',
    'Strict mode asks about everything and auto-approve about nothing. Switch one of them off first.',
  );
}

function refuseWhatIsNotTheirs(
  who: Principal,
  project: ProjectRecord,
  { options, limits, strict, autoApprove, refreshBeforeSession, branchPattern, visibility }: UpdateProject,
): void {
  if (!projectPolicy.contribute(who, project)) throw problems.forbidden('rename projects', project.teamId);
  const settings = [options, limits, strict, autoApprove, refreshBeforeSession, branchPattern, visibility];
  const isPolicy = settings.some((setting) => setting !== undefined);
  if (isPolicy && !projectPolicy.manage(who, project))
    throw problems.forbidden('change the settings of this project', project.teamId);
}

function refuseUnusablePattern(pattern: string | undefined): void {
  const why = pattern === undefined ? null : whyNoBranchPattern(pattern);
  if (why === null) return;
  const message = `The pattern of branch names ${why}.`;
  throw new ProblemError('VALIDATION_FAILED', message, { errors: [{ path: 'branchPattern', message }] });
}

function changesOf(
  who: Principal,
  { name, options, limits, strict, autoApprove, refreshBeforeSession, branchPattern }: UpdateProject,
): ProjectChanges {
  return {
    ...(refreshBeforeSession === undefined ? {} : { refreshBeforeSession }),
    ...(branchPattern === undefined ? {} : { branchPattern }),
    ...(name === undefined ? {} : { name }),
    ...(options === undefined ? {} : { options }),
    ...(limits === undefined ? {} : { limits }),
    ...(strict === undefined ? {} : { strict }),
    ...(autoApprove === undefined
      ? {}
      : { autoApprove: autoApprove ? { by: { userId: who.user.id, name: who.user.name } } : null }),
  };
}

function actsOf(before: ProjectRecord, after: ProjectRecord): AuditedAct[] {
  const object = after.id;
  const acts: AuditedAct[] = [];
  if (before.name !== after.name)
    acts.push({ action: 'project:rename', object, detail: { from: before.name, to: after.name } });
  if (JSON.stringify(before.options) !== JSON.stringify(after.options))
    acts.push({ action: 'project:options', object, detail: { from: before.options, to: after.options } });
  if (JSON.stringify(before.limits) !== JSON.stringify(after.limits))
    acts.push({ action: 'project:limits', object, detail: { from: before.limits, to: after.limits } });
  if (before.strict !== after.strict) acts.push({ action: 'project:strict', object, detail: { on: after.strict } });
  if ((before.autoApprove === null) !== (after.autoApprove === null))
    acts.push({ action: 'project:auto-approve', object, detail: { on: after.autoApprove !== null } });
  const pushed = ({ refreshBeforeSession, branchPattern }: ProjectRecord) => ({ refreshBeforeSession, branchPattern });
  if (JSON.stringify(pushed(before)) !== JSON.stringify(pushed(after)))
    acts.push({ action: 'project:push-settings', object, detail: pushed(after) });
  return acts;
}
