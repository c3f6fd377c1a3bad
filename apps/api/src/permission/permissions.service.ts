import { Injectable } from '@nestjs/common';
import type { Page, Permission, PermissionDecision } from '@chirality/contracts';
import { PermissionRepository } from '@chirality/database';
import { maskText } from '@chirality/domain';
import { TurnSignals } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { LRUCache } from 'lru-cache';
import { originatorOf, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';

/** Requests whose people have seen that an agent tried: a program that keeps trying fills no transcript. */
const MAX_SHOWN = 1_000;

@Injectable()
export class PermissionsService {
  private readonly shown = new LRUCache<string, true>({ max: MAX_SHOWN });

  constructor(
    private readonly sessions: SessionAccess,
    private readonly permissions: PermissionRepository,
    private readonly audit: AuditTrail,
    private readonly signals: TurnSignals,
  ) {}

  async list(
    who: Principal,
    sessionId: string,
    {
      status,
      limit,
      ...query
    }: { status?: Permission['status'] | undefined; cursor?: string | undefined; limit: number },
  ): Promise<Page<Permission>> {
    const session = await this.sessions.forReading(who, sessionId);
    return this.permissions.list(session.id, { ...(status ? { status } : {}), ...cursorOf(query), limit });
  }

  /** The first answer counts; later ones receive its outcome. The worker is signalled once the answer is committed. */
  async answer(
    who: Principal,
    sessionId: string,
    permissionId: string,
    decision: PermissionDecision,
  ): Promise<Permission> {
    if (who.identityClass === 'agent') throw await this.refuseAgent(who, sessionId, permissionId);
    const session = await this.sessions.forAnswering(who, sessionId);
    const answered = await this.permissions.answerPermission({
      sessionId: session.id,
      permissionId: knownId('permission', permissionId),
      by: { userId: who.user.id, name: who.user.name },
      originator: originatorOf(who),
      decision: decision.reason === undefined ? decision : { ...decision, reason: maskText(decision.reason) },
    });
    if (answered.outcome === 'not_found') throw problems.notFound('permission request');
    const { permission } = answered;
    const resolved = answered.outcome === 'resolved';
    await this.audit.note(who, session.teamId, {
      action: resolved ? 'permission:answer' : 'permission:answer-late',
      object: permission.id,
      detail: { sessionId: session.id, turnId: permission.turnId, tool: permission.tool, decision: decision.decision },
    });
    if (!resolved) throw alreadyResolved(permission);
    if (answered.workerId)
      this.signals.publish(answered.workerId, {
        sessionId: session.id,
        turnId: permission.turnId,
        reason: 'permission',
      });
    return permission;
  }

  /**
   * An agent answers for no one: neither for what it began, nor for what another agent of its owner did. That it
   * tried is recorded, and shown to the people of the session once for each request.
   */
  private async refuseAgent(who: Principal, sessionId: string, permissionId: string): Promise<ProblemError> {
    const session = await this.sessions.forReading(who, sessionId);
    const permission = await this.permissions.find(session.id, knownId('permission', permissionId));
    if (!permission) return problems.notFound('permission request');
    await this.audit.note(who, session.teamId, {
      action: 'permission:agent-denied',
      object: permission.id,
      detail: { sessionId: session.id, turnId: permission.turnId, tool: permission.tool },
    });
    if (permission.status === 'pending' && !this.shown.has(permission.id)) {
      this.shown.set(permission.id, true);
      await this.permissions.noteAgentAttempt(permission, originatorOf(who), who.token?.name ?? 'An agent');
    }
    return problems.agentMayNotApprove();
  }
}

function alreadyResolved(permission: Permission): ProblemError {
  const by = permission.resolvedBy ? ` by ${permission.resolvedBy.name}` : '';
  return new ProblemError(
    'PERMISSION_RESOLVED',
    `This request was ${permission.outcome ?? 'resolved'} already${by}. Nothing was changed.`,
    {
      outcome: permission.outcome,
      permission,
    },
  );
}
