import { Injectable } from '@nestjs/common';
import type { Page, ProjectRule, SessionRule } from '@chirality/contracts';
import { ProjectRuleRepository, SessionRuleRepository } from '@chirality/database';
import { normalizeRule, ruleText } from '@chirality/domain';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { projectOf } from '../access/session.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { PolicySignals } from '../project/policy-signals';
import { projectPolicy } from '../access/project.policy';

/** What was allowed for a whole session: listed, revocable, gone with the session. */
@Injectable()
export class RulesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly rules: SessionRuleRepository,
    private readonly projectRules: ProjectRuleRepository,
    private readonly audit: AuditTrail,
    private readonly signals: PolicySignals,
  ) {}

  async list(who: Principal, sessionId: string): Promise<Page<SessionRule>> {
    const session = await this.sessions.forReading(who, sessionId);
    return wholePage(await this.rules.list(session.id));
  }

  async remove(who: Principal, sessionId: string, ruleId: string): Promise<void> {
    const session = await this.sessions.forAnswering(who, sessionId);
    if (!(await this.rules.remove(session.id, knownId('rule', ruleId)))) throw problems.notFound('rule');
    await this.audit.note(who, session.teamId, {
      action: 'rule:remove',
      object: ruleId,
      detail: { sessionId: session.id },
    });
  }

  /** Makes it the project's, for those who set the project's policy; the session then has it from there. */
  async promote(who: Principal, sessionId: string, ruleId: string): Promise<ProjectRule> {
    const session = await this.sessions.forAnswering(who, sessionId);
    if (!projectPolicy.manage(who, projectOf(session)))
      throw problems.forbidden('change the rules of this project', session.teamId);
    const by = { userId: who.user.id, name: who.user.name };
    const rule = await this.projectRules.promote(
      { sessionId: session.id, ruleId: knownId('rule', ruleId) },
      { projectId: session.projectId, by, normalize: normalizeRule },
    );
    if (!rule) throw problems.notFound('rule');
    await this.signals.changed(session.projectId);
    await this.audit.note(who, session.teamId, {
      action: 'rule:promote',
      object: rule.id,
      detail: { sessionId: session.id, projectId: session.projectId, from: ruleId, rule: ruleText(rule) },
    });
    return rule;
  }
}
