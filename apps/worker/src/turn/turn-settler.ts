import { SYSTEM, type EventPayload, type NewEvent } from '@chirality/contracts';
import type { SessionStateRepository, TurnSettlementRepository, Tx, UsageRepository } from '@chirality/database';
import { maskJson, maskText, toPricedUsage, withoutHostPaths } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { UsageDoubt } from '../harness/harness-output';
import type { RunEnd } from '../outcome/run-end';
import type { Ending } from '../outcome/turn-ending';
import type { ActiveTurn } from '../record/active-turn';
import { countSettledTurn } from './turn-figures';

/** A turn whose reported cost differs by more than this from the sum of its messages is flagged. */
const COST_TOLERANCE_PERCENT = 1;

const DOUBT_TEXTS: Record<UsageDoubt, string> = {
  'less-by-model':
    'Claude Code reported fewer cache tokens by model than in all. The larger number was stored; what this turn cost is what was reported, and may be too little.',
  'too-large':
    'Claude Code reported a number of tokens that is too large to be true. It was stored as 0; what this turn cost is what was reported, and may be wrong.',
};

export type TurnEnd = {
  ending: Ending;
  last: RunEnd | null;
  /** What the turn came to, where viewers have not heard it yet. */
  lastWords: EventPayload<'session:complete'> | null;
  /** What the session is booted for from now on; null leaves it as it is. */
  bootFingerprint: string | null;
};

export type Settlement = TurnEnd & { turn: ActiveTurn };

/** Writes a turn's end: its last events, its one final state, the conversation to continue, in one transaction. */
export class TurnSettler {
  constructor(
    private readonly settlements: TurnSettlementRepository,
    private readonly sessions: SessionStateRepository,
    private readonly usage: UsageRepository,
    private readonly log: Logger,
  ) {}

  async settle(turn: ActiveTurn, end: TurnEnd): Promise<void> {
    const settlement: Settlement = { turn, ...end };
    noteUnknownCost(turn);
    await this.recordReportedUsage(settlement).catch((error: Error) =>
      this.log.error({ err: error, turn: turn.claimed.id }, 'turn.reported_usage_not_stored'),
    );
    const refused = await this.settleAsItEnded(settlement).catch((error: Error) => error);
    // Fenced: another process has settled it. Anything else must not leave a turn that never ends.
    if (refused === null || refused === 'fenced') return;
    this.log.error(
      { err: refused instanceof Error ? refused : undefined, reason: refused, turn: turn.claimed.id },
      'turn.settlement_refused',
    );
    await this.settleAsFailed(settlement);
  }

  /** Null when it is settled. */
  private async settleAsItEnded(settlement: Settlement): Promise<string | null> {
    const { turn, ending, last } = settlement;
    const { claimed, recorder, timings } = turn;
    const { attempt } = turn.state;
    const persistFrom = performance.now();
    await recorder.settled();
    timings.persisted(performance.now() - persistFrom);
    const { masks } = recorder;
    const outcome = last?.outcome;
    const error = ending.error && { ...ending.error, detail: withoutHostPaths(maskText(ending.error.detail, masks)) };
    const result = await this.settlements.settle({
      sessionId: claimed.sessionId,
      turnId: claimed.id,
      cause: ending.cause,
      attempt: attempt.attempt,
      fence: attempt.fence,
      fenced: true,
      events: this.lastEvents(settlement, error),
      set: {
        error,
        text: maskText(outcome?.text ?? '', masks),
        structured: ending.cause === 'succeed' ? maskJson(outcome?.structured ?? null, masks) : null,
        degraded: (outcome?.degraded ?? false) && ending.cause !== 'interrupt',
        claudeSessionId: outcome?.claudeSessionId ?? null,
        model: outcome?.model ?? null,
        claudeVersion: outcome?.version ?? null,
        reportedCostUsd: outcome?.reportedCostUsd ?? null,
        permissionDenials: maskJson(outcome?.denials ?? [], masks),
        timings: timings.snapshot(),
        ...launched(turn),
      },
      also: (tx) => this.keepConversation(settlement, tx),
    });
    if (result.appended) countSettledTurn(settlement);
    return result.appended ? null : result.reason;
  }

  /** With nothing that the turn itself made, so nothing of it can be in the way. */
  private async settleAsFailed(settlement: Settlement): Promise<void> {
    const { turn, last } = settlement;
    const { claimed, timings } = turn;
    const { attempt } = turn.state;
    const error = {
      code: 'HARNESS_FAILURE' as const,
      detail: 'How the turn ended could not be stored. Its events are as they were; send a message to continue.',
    };
    const events: NewEvent[] = [
      { kind: 'session:error', turn: claimed.id, originator: SYSTEM, payload: { ...error, retryable: true } },
      ...exitOf(claimed.id, attempt.attempt, last),
    ];
    const result = await this.settlements.settle({
      sessionId: claimed.sessionId,
      turnId: claimed.id,
      cause: 'fail',
      attempt: attempt.attempt,
      fence: attempt.fence,
      fenced: true,
      events,
      set: { error, timings: timings.snapshot(), ...launched(turn) },
    });
    if (!result.appended) this.log.error({ turn: claimed.id, reason: result.reason }, 'turn.not_settled');
  }

  private lastEvents(
    { turn: { claimed, recorder, state }, last, lastWords, ending }: Settlement,
    error: Ending['error'],
  ): NewEvent[] {
    const { attempt } = state;
    const words: NewEvent[] = lastWords
      ? [
          {
            kind: 'session:complete',
            turn: claimed.id,
            originator: SYSTEM,
            payload: maskJson(lastWords, recorder.masks),
          },
        ]
      : [];
    const exits = exitOf(claimed.id, attempt.attempt, last);
    if (!error) return [...words, ...exits];
    const retryable = ending.cause !== 'interrupt' && (last?.outcome.retryable ?? true);
    return [
      ...words,
      {
        kind: 'session:error',
        turn: claimed.id,
        originator: SYSTEM,
        payload: { code: error.code, detail: error.detail, retryable },
      },
      ...exits,
    ];
  }

  private async keepConversation({ turn: { claimed }, last, bootFingerprint }: Settlement, tx: Tx): Promise<void> {
    if (
      bootFingerprint !== null &&
      (bootFingerprint !== claimed.session.bootFingerprint || claimed.session.bootedAt === null)
    )
      await this.sessions.setBoot(claimed.sessionId, bootFingerprint, tx);
    const claudeSessionId = last?.outcome.claudeSessionId;
    if (claudeSessionId && claudeSessionId !== claimed.session.claudeSessionId)
      await this.sessions.setClaudeSession(claimed.sessionId, claudeSessionId, tx);
  }

  /**
   * Where no message passed the gateway, what the program itself reports is the row; elsewhere it is the cross-check.
   */
  private async recordReportedUsage(settlement: Settlement): Promise<void> {
    const { turn, last } = settlement;
    const { claimed, costs, recorder } = turn;
    const { attempt } = turn.state;
    const reported = last?.outcome.reportedCostUsd;
    if (!last || reported === null || reported === undefined) return;
    if (costs.messageCount > 0) {
      const comparable =
        last.stopReason === null &&
        attempt.attempt === 1 &&
        costs.allComplete &&
        costs.unpricedModels.length === 0 &&
        !costs.isDemo;
      this.compare(turn, Number(costs.soFar().costUsd), Number(reported), comparable);
      return;
    }
    const doubt = last.outcome.usageDoubt;
    if (doubt)
      recorder.record('turn:notice', { level: 'warning', code: 'USAGE_CONTRADICTS', text: DOUBT_TEXTS[doubt] });
    for (const [index, { model, usage, costUsd }] of last.outcome.reportedByModel.entries()) {
      await this.usage.recordUsage({
        id: reportedUsageId(claimed.id, attempt.attempt, index),
        teamId: claimed.teamId,
        projectId: claimed.projectId,
        sessionId: claimed.sessionId,
        turnId: claimed.id,
        attempt: attempt.attempt,
        userId: claimed.author.userId,
        persona: claimed.persona?.key ?? null,
        model,
        apiMessageId: null,
        ...toPricedUsage(usage),
        costUsd,
        source: 'reported',
        demo: false,
        complete: true,
        estimated: doubt !== undefined,
        at: new Date(),
      });
    }
  }

  private compare({ claimed, recorder }: ActiveTurn, metered: number, reported: number, comparable: boolean): void {
    if (!comparable || metered === reported) return;
    const percent = (Math.abs(metered - reported) / Math.max(metered, reported)) * 100;
    if (percent <= COST_TOLERANCE_PERCENT) return;
    this.log.warn({ turn: claimed.id, metered, reported, percent }, 'turn.cost_differs');
    const text = `Claude Code reports a cost of $${reported.toFixed(4)}, and the messages of this turn add up to $${metered.toFixed(4)}. The second counts. An admin can compare the price table with the prices of the model’s service.`;
    recorder.record('turn:notice', {
      level: 'warning',
      code: 'COST_DIFFERS',
      text,
      reportedUsd: String(reported),
      meteredUsd: String(metered),
    });
  }
}

/** An unknown cost would pass for a small one if only the badge said so. */
function noteUnknownCost({ costs, recorder }: ActiveTurn): void {
  const models = costs.unpricedModels;
  if (models.length === 0) return;
  const names = models.map((model) => model.slice(0, 120)).join(', ');
  const text = `There is no price for ${names}, so what this turn cost is unknown. An owner of this installation can add a price for later turns.`;
  recorder.record('turn:notice', { level: 'warning', code: 'COST_UNKNOWN', text, models });
}

function launched({ state: { untoldLaunch: launch } }: ActiveTurn): { launch?: string } {
  return launch === null ? {} : { launch };
}

/** Nothing where the process lives on. */
function exitOf(turnId: string, attempt: number, last: RunEnd | null): NewEvent[] {
  if (!last?.exit) return [];
  return [
    {
      kind: 'process:exit',
      turn: turnId,
      originator: SYSTEM,
      payload: { code: last.exit.code, signal: last.exit.signal, attempt, final: true },
    },
  ];
}

/** The same for the same turn, attempt and model, so that a repeated settlement writes no second row. */
function reportedUsageId(turnId: string, attempt: number, index: number): string {
  return `usage_reported_${turnId}_${attempt}_${index}`;
}
