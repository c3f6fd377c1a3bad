import { Injectable } from '@nestjs/common';
import type { Page, Permission, PermissionDecision } from '@chirality/contracts';
import { PermissionRepository } from '@chirality/database';
import { maskText } from '@chirality/domain';
import { TurnSignals } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { originatorOf, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';

@Injectable()
export class PermissionsService {
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
