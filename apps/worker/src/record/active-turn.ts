import type { ClaimedTurn, EventLogWriter } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { TurnBudget } from '../key/turn-budget';
import { TurnCosts } from '../key/turn-costs';
import { TurnPayments } from '../key/turn-payments';
import { ProcessLimitNotice } from './process-limit-notice';
import { RawLog } from './raw-log';
import { TurnRecorder } from './turn-recorder';
import { TurnState } from './turn-state';
import { TurnStop } from './turn-stop';
import { TurnTimings } from './turn-timings';

/** What a claimed turn keeps through all the processes that serve it. */
export class ActiveTurn {
  readonly stop = new TurnStop();
  readonly recorder: TurnRecorder;
  readonly state: TurnState;
  readonly timings: TurnTimings;
  readonly costs: TurnCosts;
  readonly payments: TurnPayments;
  readonly rawLog: RawLog;
  readonly processLimit: ProcessLimitNotice;

  constructor(
    readonly claimed: ClaimedTurn,
    readonly workerId: string,
    readonly log: Logger,
    eventLog: Pick<EventLogWriter, 'append'>,
    rawLogRoot: string,
  ) {
    const { id: turnId, sessionId, attempt, fence } = claimed;
    const owner = { turnId, sessionId, attempt, fence };
    this.timings = new TurnTimings(claimed.queuedAt, claimed.startedAt);
    this.recorder = new TurnRecorder(
      eventLog,
      { ...owner, originator: claimed.originator },
      () => this.stop.request('fenced'),
      (error) => log.error({ err: error }, 'turn.event_not_stored'),
    );
    this.state = new TurnState(owner, this.recorder, log);
    this.rawLog = new RawLog(rawLogRoot, turnId, (error) => log.warn({ err: error }, 'turn.raw_log_failed'));
    this.costs = new TurnCosts((soFar) => this.recorder.record('cost:update', soFar));
    this.payments = new TurnPayments(new TurnBudget(claimed.options.maxBudgetUsd?.value ?? null), {
      refused: ({ code }) => this.stop.request(code === 'FORBIDDEN' ? 'forbidden' : 'unpaid'),
      budgetReached: (notice) => this.recorder.record('budget:notice', notice),
      answersShortened: () =>
        this.recorder.record('turn:notice', {
          level: 'info',
          code: 'BUDGET_LOW',
          text: 'A budget is nearly used up, so answers are kept short.',
        }),
    });
    this.processLimit = new ProcessLimitNotice(this.recorder);
  }
}
