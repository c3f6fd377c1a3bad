import { Injectable } from '@nestjs/common';
import type { Page, ProjectMember, ProjectRole, ProjectVisibility } from '@chirality/contracts';
import { ProjectMemberRepository, SessionRepository, type ProjectRecord } from '@chirality/database';
import { SessionChannel } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from './projects.service';

/** Who is in a project, and with which role. What changes is felt by open connections and running turns at once. */
@Injectable()
export class ProjectMembersService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly members: ProjectMemberRepository,
    private readonly sessions: SessionRepository,
    private readonly changes: AccessChanges,
    private readonly channel: SessionChannel,
    private readonly audit: AuditTrail,
  ) {}

  /** Those whom the project names; the team's owners and admins manage it without being named. */
  async list(who: Principal, projectId: string): Promise<Page<ProjectMember>> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.listMembers(who, project)) throw problems.forbidden('see who is in it', project.teamId);
    return wholePage(await this.members.list(project.id));
  }

  async get(who: Principal, projectId: string, userId: string): Promise<ProjectMember> {
    const { data } = await this.list(who, projectId);
    const member = data.find((one) => one.userId === userId);
    if (!member) throw problems.notFound('member of the project');
    return member;
  }

  /** Names someone of the team, or gives them another role. Safe to repeat. */
  async put(who: Principal, projectId: string, userId: string, role: ProjectRole): Promise<ProjectMember> {
    const project = await this.managed(who, projectId);
    const id = knownId('user', userId);
    refuseUnlessDone(await this.members.put(project.id, id, role, who.user.id));
    const member = await this.members.find(project.id, id);
    if (!member) throw problems.notFound('member of the project');
    await this.changed(project, id);
    await this.audit.note(who, project.teamId, {
      action: 'project:member',
      object: project.id,
      detail: { userId: id, name: member.name, role },
    });
    return member;
  }

  /** For who manages the project, and for the member, who leaves. */
  async remove(who: Principal, projectId: string, userId: string): Promise<void> {
    const project =
      userId === who.user.id ? await this.projects.find(who, projectId) : await this.managed(who, projectId);
    const id = knownId('user', userId);
    const member = await this.members.find(project.id, id);
    if (!member) throw problems.notFound('member of the project');
    refuseUnlessDone(await this.members.remove(project.id, id));
    await this.changed(project, id);
    await this.audit.note(who, project.teamId, {
      action: 'project:member-remove',
      object: project.id,
      detail: { userId: id, name: member.name, role: member.role },
    });
  }

  /** Makes it its members' alone, where the person who says so stays, or the team's again. */
  async setVisibility(who: Principal, project: ProjectRecord, visibility: ProjectVisibility): Promise<void> {
    if (!(await this.members.setVisibility(project.id, visibility, who.user.id))) return;
    await this.changed(project, null);
    await this.audit.note(who, project.teamId, {
      action: 'project:visibility',
      object: project.id,
      detail: { from: project.visibility, to: visibility },
    });
  }

  private async managed(who: Principal, projectId: string): Promise<ProjectRecord> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project)) throw problems.forbidden('change who is in the project', project.teamId);
    return project;
  }

  /**
   * For one person, or for the whole team. What is open ends, what runs is ended, and lists lose or gain its sessions.
   */
  private async changed(project: ProjectRecord, userId: string | null): Promise<void> {
    await this.changes.revoke(userId === null ? {} : { userId });
    for (const sessionId of await this.sessions.listShared(project.id))
      this.channel.publish({ sessionId, mayBeHidden: true, lostTo: userId ?? project.teamId });
  }
}

function refuseUnlessDone(change: 'done' | 'not_found' | 'last_manager'): void {
  if (change === 'not_found') throw problems.notFound('member of the team');
  if (change === 'last_manager')
    throw new ProblemError(
      'CONFLICT',
      'A project that is only its members’ needs one who manages it. Let another member manage it first.',
    );
}
