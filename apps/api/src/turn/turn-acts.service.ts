import { Inject, Injectable } from '@nestjs/common';
import type { Turn } from '@chirality/contracts';
import { ToolCallRepository, TurnRepository } from '@chirality/database';
import { maskText } from '@chirality/domain';
import type { Messaging } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import { originatorOf, type Principal } from '../auth/principal';
import { knownId } from '../http/known-id';
import { problems } from '../problem/problems';
import { MESSAGING } from '../server/tokens';
import { SessionAccess } from '../session/session-access';

type ToolOutcome = { outcome: 'failed' | 'succeeded' | 'abort'; note?: string | undefined };

@Injectable()
export class TurnActsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly toolCalls: ToolCallRepository,
    private readonly audit: AuditTrail,
    @Inject(MESSAGING) private readonly messaging: Messaging,
  ) {}

  /** Safe to repeat and at every moment; answers the turn as it is now, or null when none was live. */
  async interrupt(who: Principal, sessionId: string): Promise<{ turn: Turn | null }> {
    const session = await this.sessions.forActing(who, sessionId);
    return { turn: await this.interruptActive(who, session) };
  }

  /** For whoever may already do this to the session. */
  async interruptActive(who: Principal, { id: sessionId, teamId }: { id: string; teamId: string }): Promise<Turn | null> {
    const active = await this.turns.findActive(sessionId);
    if (!active) return null;
    const outcome = await this.turns.requestInterrupt({ turnId: active.id, userId: who.user.id, originator: originatorOf(who) });
    if (outcome.outcome === 'requested' && outcome.workerId) {
      this.messaging.signals.publish(outcome.workerId, { sessionId, turnId: active.id, reason: 'interrupt' });
    }
    if (outcome.outcome !== 'already_final') void this.audit.note(who, teamId, { action: 'turn:interrupt', object: active.id, detail: { sessionId } });
    return this.turns.find(sessionId, active.id);
  }

  /** What a person knows of a tool whose end nobody saw; it is told to the model before the next message. */
  async settleTool(who: Principal, sessionId: string, turnId: string, toolUseId: string, { outcome, note }: ToolOutcome): Promise<{ turn: Turn }> {
    const session = await this.sessions.forActing(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    const call = (await this.toolCalls.listOfTurn(turn.id)).find((one) => one.toolUseId === toolUseId);
    if (!call) throw problems.notFound('tool call');
    const taken = await this.toolCalls.resolveByPerson({ sessionId: session.id, turnId: turn.id, toolUseId }, outcome, note === undefined ? null : maskText(note));
    if (!taken) throw new ProblemError('CONFLICT', 'This tool call is not open: it has ended, was answered already, or its turn still runs.');
    await this.audit.note(who, session.teamId, { action: 'tool:outcome', object: turn.id, detail: { sessionId: session.id, toolUseId, outcome } });
    return { turn };
  }
}
