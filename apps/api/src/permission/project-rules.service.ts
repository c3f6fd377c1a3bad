import { Injectable } from '@nestjs/common';
import type { CreateProjectRule, Page, ProjectRule, SessionRule } from '@chirality/contracts';
import { ProjectRuleRepository, SessionRuleRepository, type ProjectRecord } from '@chirality/database';
import { normalizeRule, ruleText } from '@chirality/domain';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { PolicySignals } from '../project/policy-signals';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from '../project/projects.service';

/** The permission rules of a project. */
@Injectable()
export class ProjectRulesService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly rules: ProjectRuleRepository,
    private readonly sessionRules: SessionRuleRepository,
    private readonly audit: AuditTrail,
    private readonly signals: PolicySignals,
  ) {}

  async list(who: Principal, projectId: string): Promise<Page<ProjectRule>> {
    const project = await this.projects.find(who, projectId);
    return wholePage(await this.rules.list(project.id));
  }

  /** Safe to repeat: a rule that is there already is answered as it is. */
  async add(who: Principal, projectId: string, request: CreateProjectRule): Promise<ProjectRule> {
    const project = await this.findManaged(who, projectId);
    const { tool, effect } = request;
    const { pattern } = normalizeRule(request);
    const { rule, created } = await this.rules.add({
      projectId: project.id,
      tool,
      pattern,
      effect,
      by: { userId: who.user.id, name: who.user.name },
    });
    await this.signals.changed(project.id);
    if (created) await this.note(who, project.teamId, 'project-rule:add', rule);
    return rule;
  }

  async remove(who: Principal, projectId: string, ruleId: string): Promise<void> {
    const project = await this.findManaged(who, projectId);
    const rule = await this.rules.remove(project.id, knownId('rule', ruleId));
    if (!rule) throw problems.notFound('rule');
    await this.signals.changed(project.id);
    await this.note(who, project.teamId, 'project-rule:remove', rule);
  }

  /**
   * What was allowed in sessions and is more than it shows; sessions that the admin cannot read are named by their id
   * alone.
   */
  async listTooWide(who: Principal, projectId: string): Promise<Page<SessionRule>> {
    const project = await this.findManaged(who, projectId);
    return wholePage((await this.sessionRules.listOfProject(project.id)).filter((rule) => rule.tooWide !== null));
  }

  async removeOfSession(who: Principal, projectId: string, ruleId: string): Promise<void> {
    const project = await this.findManaged(who, projectId);
    const rule = await this.sessionRules.removeFromProject(project.id, knownId('rule', ruleId));
    if (!rule) throw problems.notFound('rule');
    await this.audit.note(who, project.teamId, {
      action: 'rule:remove',
      object: rule.id,
      detail: { projectId: project.id, sessionId: rule.sessionId, rule: ruleText(normalizeRule(rule)) },
    });
  }

  private async findManaged(who: Principal, projectId: string): Promise<ProjectRecord> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.manage(who, project))
      throw problems.forbidden('change the rules of this project', project.teamId);
    return project;
  }

  private note(
    who: Principal,
    teamId: string,
    action: 'project-rule:add' | 'project-rule:remove',
    rule: ProjectRule,
  ): Promise<void> {
    return this.audit.note(who, teamId, {
      action,
      object: rule.id,
      detail: { projectId: rule.projectId, effect: rule.effect, rule: ruleText(rule) },
    });
  }
}
