import { Injectable } from '@nestjs/common';
import type { Turn } from '@chirality/contracts';
import { TurnInterruptRepository, TurnRepository } from '@chirality/database';
import { TurnSignals } from '@chirality/messaging';
import { originatorOf, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';

@Injectable()
export class TurnActsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly interrupts: TurnInterruptRepository,
    private readonly audit: AuditTrail,
    private readonly signals: TurnSignals,
  ) {}

  /** Safe to repeat and at every moment; answers the turn as it is now, or null when none was live. */
  async interrupt(who: Principal, sessionId: string): Promise<{ turn: Turn | null }> {
    const session = await this.sessions.forActing(who, sessionId);
    return { turn: await this.interruptActive(who, session) };
  }

  /** The caller has checked the right to do this to the session. */
  async interruptActive(
    who: Principal,
    { id: sessionId, teamId }: { id: string; teamId: string },
  ): Promise<Turn | null> {
    const active = await this.turns.findActive(sessionId);
    return active && this.interruptTurn(who, { id: sessionId, teamId }, active.id);
  }

  /** That turn and no later one. The caller has checked the right. */
  async interruptTurn(
    who: Principal,
    { id: sessionId, teamId }: { id: string; teamId: string },
    turnId: string,
  ): Promise<Turn | null> {
    const outcome = await this.interrupts.request({
      turnId,
      userId: who.user.id,
      originator: originatorOf(who),
    });
    if (outcome.outcome === 'requested' && outcome.workerId) {
      this.signals.publish(outcome.workerId, { sessionId, turnId, reason: 'interrupt' });
    }
    if (outcome.outcome !== 'already_final')
      void this.audit.note(who, teamId, { action: 'turn:interrupt', object: turnId, detail: { sessionId } });
    return this.turns.find(sessionId, turnId);
  }
}
