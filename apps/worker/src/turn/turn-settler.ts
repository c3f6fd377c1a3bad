import { SYSTEM, type NewEvent } from '@chirality/contracts';
import type { SessionStateRepository, TurnRepository, Tx, UsageRepository } from '@chirality/database';
import { maskJson, maskText } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { Settlement } from './turn-services';

/** A turn whose reported cost differs by more than this from the sum of its messages is flagged. */
const COST_TOLERANCE_PERCENT = 1;

/** Writes a turn's end: its last events, its one final state, the conversation to go on with, in one transaction. */
export class TurnSettler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly sessions: SessionStateRepository,
    private readonly usage: UsageRepository,
    private readonly log: Logger,
  ) {}

  async settle(settlement: Settlement): Promise<void> {
    const { claimed, attempt, from, ending, last, timings } = settlement;
    await this.recordReportedUsage(settlement);
    const persistFrom = performance.now();
    await settlement.journal.settled();
    timings.persisted(performance.now() - persistFrom);
    const outcome = last?.outcome;
    const error = ending.error && { ...ending.error, detail: maskText(ending.error.detail) };
    const result = await this.turns.settleTurn({
      sessionId: claimed.sessionId,
      turnId: claimed.id,
      from,
      cause: ending.cause,
      attempt: attempt.attempt,
      fence: attempt.fence,
      fenced: true,
      events: this.lastEvents(settlement, error),
      set: {
        error,
        text: maskText(outcome?.text ?? ''),
        degraded: (outcome?.degraded ?? false) && ending.cause !== 'interrupt',
        claudeSessionId: outcome?.claudeSessionId ?? null,
        model: outcome?.model ?? null,
        claudeVersion: outcome?.version ?? null,
        reportedCostUsd: outcome?.reportedCostUsd ?? null,
        permissionDenials: maskJson(outcome?.denials ?? []),
        timings: timings.snapshot(),
      },
      also: (tx) => this.keepConversation(settlement, tx),
    });
    if (!result.appended) this.log.warn({ turn: claimed.id, reason: result.reason }, 'turn.settlement_refused');
  }

  private lastEvents({ claimed, attempt, last, ending }: Settlement, error: Settlement['ending']['error']): NewEvent[] {
    const events: NewEvent[] = [];
    const add = (event: Pick<NewEvent, 'kind' | 'payload'>) => events.push({ ...event, turn: claimed.id, originator: SYSTEM } as NewEvent);
    if (error) add({ kind: 'session:error', payload: { code: error.code, detail: error.detail, retryable: ending.cause !== 'interrupt' && (last?.outcome.retryable ?? true) } });
    if (last?.exit) add({ kind: 'process:exit', payload: { code: last.exit.code, signal: last.exit.signal, attempt: attempt.attempt, final: true } });
    return events;
  }

  private async keepConversation({ claimed, last }: Settlement, tx: Tx): Promise<void> {
    const claudeSessionId = last?.outcome.claudeSessionId;
    if (claudeSessionId && claudeSessionId !== claimed.session.claudeSessionId) await this.sessions.setClaudeSession(claimed.sessionId, claudeSessionId, tx);
  }

  /** Where no message passed the gateway, what the program itself reports is the row; elsewhere it is the cross-check. */
  private async recordReportedUsage({ claimed, attempt, last, costs }: Settlement): Promise<void> {
    const reported = last?.outcome.reportedCostUsd;
    if (!last || reported === null || reported === undefined) return;
    if (costs.messageCount > 0) {
      this.compare(claimed.id, Number(costs.soFar().costUsd), Number(reported), last.stopReason === null && attempt.attempt === 1);
      return;
    }
    for (const [index, { model, usage, costUsd }] of last.outcome.reportedByModel.entries()) {
      await this.usage.recordUsage({
        id: reportedUsageId(claimed.id, attempt.attempt, index),
        teamId: claimed.teamId,
        projectId: claimed.projectId,
        sessionId: claimed.sessionId,
        turnId: claimed.id,
        attempt: attempt.attempt,
        userId: claimed.author.userId,
        persona: claimed.session.persona,
        model,
        apiMessageId: null,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        cacheReadTokens: usage.cacheReadTokens,
        cacheWrite5mTokens: usage.cacheWriteTokens,
        cacheWrite1hTokens: 0,
        webSearches: 0,
        costUsd,
        source: 'reported',
        demo: false,
        complete: true,
        at: new Date(),
      });
    }
  }

  private compare(turnId: string, metered: number, reported: number, comparable: boolean): void {
    if (!comparable || metered === reported) return;
    const percent = (Math.abs(metered - reported) / Math.max(metered, reported)) * 100;
    if (percent > COST_TOLERANCE_PERCENT) this.log.warn({ turn: turnId, metered, reported, percent }, 'turn.cost_differs');
  }
}

/** The same for the same turn, attempt and model, so that a repeated settlement writes no second row. */
function reportedUsageId(turnId: string, attempt: number, index: number): string {
  return `usage_reported_${turnId}_${attempt}_${index}`;
}
