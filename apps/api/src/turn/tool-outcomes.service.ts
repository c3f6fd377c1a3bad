import { Injectable } from '@nestjs/common';
import type { OpenToolCall, Page, ToolOutcomeRequest, Turn } from '@chirality/contracts';
import { ToolCallRepository, ToolOutcomeRepository, TurnRepository } from '@chirality/database';
import { maskText } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { originatorOf, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';

/** Tool calls that a crash left open, and what people know of them. */
@Injectable()
export class ToolOutcomesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly toolCalls: ToolCallRepository,
    private readonly outcomes: ToolOutcomeRepository,
    private readonly audit: AuditTrail,
  ) {}

  async listOpen(who: Principal, sessionId: string): Promise<Page<OpenToolCall>> {
    const session = await this.sessions.forReading(who, sessionId);
    return wholePage(await this.outcomes.listOpen(session.id));
  }

  /** The first verdict counts; the model learns it before the next message. */
  async settle(
    who: Principal,
    sessionId: string,
    turnId: string,
    toolUseId: string,
    { outcome, note }: ToolOutcomeRequest,
  ): Promise<{ turn: Turn }> {
    const session = await this.sessions.forAnswering(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    const call = (await this.toolCalls.listOfTurn(turn.id)).find((one) => one.toolUseId === toolUseId);
    if (!call) throw problems.notFound('tool call');
    const taken = await this.outcomes.settleByPerson({
      sessionId: session.id,
      turnId: turn.id,
      toolUseId,
      outcome,
      note: note === undefined ? null : maskText(note),
      by: { userId: who.user.id, name: who.user.name },
      originator: originatorOf(who),
    });
    if (!taken)
      throw new ProblemError(
        'CONFLICT',
        'This tool call is not open: it has ended, was answered already, or its turn still runs.',
      );
    await this.audit.note(who, session.teamId, {
      action: 'tool:outcome',
      object: turn.id,
      detail: { sessionId: session.id, toolUseId, outcome },
    });
    return { turn };
  }
}
