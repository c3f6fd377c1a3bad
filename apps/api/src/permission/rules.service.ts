import { Injectable } from '@nestjs/common';
import type { Page, SessionRule } from '@chirality/contracts';
import { SessionRuleRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import { wholePage } from '../http/json-page';
import { knownId } from '../http/known-id';
import { problems } from '../problem/problems';
import { SessionAccess } from '../session/session-access';

/** What was allowed for a whole session: listed, revocable, gone with the session. */
@Injectable()
export class RulesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly rules: SessionRuleRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, sessionId: string): Promise<Page<SessionRule>> {
    const session = await this.sessions.forReading(who, sessionId);
    return wholePage(await this.rules.list(session.id));
  }

  async remove(who: Principal, sessionId: string, ruleId: string): Promise<void> {
    const session = await this.sessions.forAnswering(who, sessionId);
    if (!(await this.rules.remove(session.id, knownId('rule', ruleId)))) throw problems.notFound('rule');
    await this.audit.note(who, session.teamId, { action: 'rule:remove', object: ruleId, detail: { sessionId: session.id } });
  }

  /** Projects have no rules of their own yet, and pretending otherwise would widen nothing. */
  async promote(who: Principal, sessionId: string, ruleId: string): Promise<SessionRule> {
    const session = await this.sessions.forManaging(who, sessionId);
    const rule = (await this.rules.list(session.id)).find(({ id }) => id === ruleId);
    if (!rule) throw problems.notFound('rule');
    throw new ProblemError('FORBIDDEN', 'Rules cannot be promoted to a project yet. The rule stays good for this session.');
  }
}
