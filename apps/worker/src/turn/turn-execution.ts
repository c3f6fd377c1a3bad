import { setTimeout as delay } from 'node:timers/promises';
import type { EventPayload, TurnStatus } from '@chirality/contracts';
import type { ClaimedTurn, Tx } from '@chirality/database';
import { mayRetry, nextStatus, type TurnCause } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import { TurnBudget } from '../key/turn-budget';
import { TurnPayments } from '../key/turn-payments';
import type { LiveProcess, ProcessOrigin } from '../process/live-process';
import type { PolicyBypass } from '../permission/answer-witness';
import type { RunEnd } from '../process/process-run';
import { RawLog } from '../process/raw-log';
import { exceededLimit } from '../sandbox';
import { namingLimit } from './reached-limit';
import { decideEnding, type Ending, type StopReason } from '../outcome/turn-ending';
import { endingOfError } from '../outcome/turn-failure';
import { startFailure } from '../process/start-failure';
import { changesNotice } from './changes-notice';
import { TurnCosts } from '../key/turn-costs';
import { ProcessLimitNotice } from './process-limit-notice';
import { TurnJournal } from '../record/turn-journal';
import type { PermissionHost } from './turn-permissions';
import type { PreparedTurn } from '../process/prepared-turn';
import { neverBegan, transcriptIsGone } from './run-verdicts';
import type { RunningTurn } from './turn-scheduler';
import type { AttemptRef, TurnServices } from './turn-services';
import { TurnServing, type TurnParts } from './turn-serving';
import { TurnState, type StateEvent } from './turn-state';
import { TurnTimings } from '../record/turn-timings';
import { whenAborted } from './when-aborted';

/** How long an interrupt waits for a workspace that is still being made. */
const PREPARE_GRACE_MS = 3_000;
/** How long the end of a turn waits to tell which files changed: the person who interrupted it waits too. */
const CHANGES_PATIENCE_MS = 3_000;

type Done = { ending: Ending; last: RunEnd | null; prepared: PreparedTurn | null; live: LiveProcess | null };

/**
 * One claimed turn from its start to its one final state. Every write carries the claim's fence; the first one that is
 * refused ends the process and leaves the turn to its present owner.
 */
export class TurnExecution implements RunningTurn, PermissionHost {
  readonly turnId: string;
  readonly sessionId: string;
  readonly journal: TurnJournal;
  private readonly state: TurnState;
  private readonly log: Logger;
  private readonly timings: TurnTimings;
  private readonly costs: TurnCosts;
  private readonly payments: TurnPayments;
  private readonly rawLog: RawLog;
  private readonly parts: TurnParts;
  private serving: TurnServing | null = null;
  private stopReason: StopReason | null = null;
  private readonly stopped = new AbortController();
  private settled = false;
  /** Reported with the turn's end, where that comes at once. */
  private lastWords: EventPayload<'session:complete'> | null = null;

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly services: TurnServices,
    private readonly onRestChanged: () => void,
  ) {
    this.turnId = claimed.id;
    this.sessionId = claimed.sessionId;
    const attempt = {
      turnId: claimed.id,
      sessionId: claimed.sessionId,
      attempt: claimed.attempt,
      fence: claimed.fence,
    };
    this.log = services.log.child({ session: this.sessionId, turn: this.turnId });
    this.timings = new TurnTimings(claimed.queuedAt, claimed.startedAt);
    this.journal = new TurnJournal(
      services.append,
      attempt,
      () => this.stop('fenced'),
      (error) => this.log.error({ err: error }, 'turn.event_not_stored'),
    );
    this.state = new TurnState(attempt, this.journal, (tx, change) => services.applyTransition(tx, change), this.log);
    this.rawLog = new RawLog(services.rawLogRoot, claimed.id, (error) =>
      this.log.warn({ err: error }, 'turn.raw_log_failed'),
    );
    this.costs = new TurnCosts((soFar) => this.journal.record('cost:update', soFar));
    this.payments = new TurnPayments(new TurnBudget(claimed.options.maxBudgetUsd?.value ?? null), {
      refused: ({ code }) => this.stop(code === 'FORBIDDEN' ? 'forbidden' : 'unpaid'),
      budgetReached: (notice) => this.journal.record('budget:notice', notice),
      answersShortened: () =>
        this.journal.record('turn:notice', {
          level: 'info',
          code: 'BUDGET_LOW',
          text: 'A budget is nearly used up, so answers are kept short.',
        }),
    });
    const { journal, state, timings, costs, payments, rawLog, log } = this;
    const processLimit = new ProcessLimitNotice(journal);
    this.parts = { claimed, services, journal, state, timings, costs, payments, rawLog, log, processLimit };
  }

  get attempt(): AttemptRef {
    return this.state.attempt;
  }

  get status(): TurnStatus {
    return this.state.status;
  }

  get hasExpired(): boolean {
    return this.serving?.stoppedFor === 'wait';
  }

  get isAtRest(): boolean {
    return this.settled || this.status === 'awaiting_permission';
  }

  requestInterrupt(): void {
    this.stop('interrupt');
  }

  forbid(): void {
    this.stop('forbidden');
  }

  shutDown(): void {
    this.stop('shutdown');
  }

  abandon(): void {
    this.stop('fenced');
  }

  unattended(): void {
    this.stop('unattended');
  }

  bypassed(bypass: PolicyBypass): Promise<void> {
    this.stop('bypassed');
    this.log.error({ bypass }, 'turn.policy_bypassed');
    return this.services.auditBypass(this.claimed, bypass);
  }

  lookAtPermissions(): void {
    this.serving?.lookAtPermissions();
  }

  waiting(isWaiting: boolean): void {
    this.serving?.waiting(isWaiting);
    this.onRestChanged();
  }

  async run(): Promise<void> {
    this.log.info({ attempt: this.attempt.attempt, kind: this.claimed.kind }, 'turn.started');
    const done = await this.runUntilDone();
    this.costs.stop();
    void this.rawLog.store(this.services.blobs);
    if (this.journal.isFenced) {
      this.log.warn('turn.fenced');
      if (done.live) await this.services.discard(done.live);
      this.services.releaseState(this.claimed, this.attempt.fence);
      return;
    }
    try {
      const filesAreKnown = done.last?.mutatingToolStarted ? await this.tellChanges(done) : !done.prepared?.setupRan;
      if (done.last && filesAreKnown) this.services.keepState(this.claimed, this.attempt.fence);
      await this.settle(done);
    } catch (error) {
      // Nothing else knows of the process, and it would keep the session's lock for good.
      if (done.live && !this.settled) await this.services.discard(done.live);
      this.services.releaseState(this.claimed, this.attempt.fence);
      throw error;
    }
  }

  change(cause: TurnCause | null, events?: StateEvent[], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    return this.state.change(cause, events, also);
  }

  private async runUntilDone(): Promise<Done> {
    let prepared: PreparedTurn | null = null;
    let last: RunEnd | null = null;
    try {
      prepared = await this.prepareUnlessStopped();
      if (prepared === null) return { ending: this.endingOf(null), last, prepared, live: null };
      this.timings.mark('prepared');
      let mode: 'any' | 'cold' = 'any';
      for (;;) {
        // An interrupt that came before anything was started needs no process to be carried out.
        if (this.stopReason !== null) break;
        const { live, origin, launch } = await this.services.acquire(this.claimed, prepared, mode);
        this.state.servedBy(launch);
        last = await this.serveOrDiscard(live, origin, prepared);
        if (last.exit === null) return { ending: this.endingOf(last), last, prepared, live };
        await this.services.discard(live);
        mode = 'cold';
        if (this.journal.isFenced) break;
        if (origin !== 'cold' && this.stopReason === null && neverBegan(last)) this.recordExit(last, false);
        else if (transcriptIsGone(prepared, last)) prepared = this.startAfresh(prepared, last);
        else if (!(await this.retryAfter(last))) break;
      }
      return { ending: this.endingOf(last), last, prepared, live: null };
    } catch (error) {
      this.log.error({ err: error }, 'turn.failed_to_run');
      return {
        ending: this.stopReason === 'interrupt' ? { cause: 'interrupt', error: null } : endingOfError(error),
        last,
        prepared,
        live: null,
      };
    }
  }

  /** Null when the turn was stopped first; what is still being made then is released when it is there. */
  private async prepareUnlessStopped(): Promise<PreparedTurn | null> {
    const { signal } = this.stopped;
    const preparing = this.services.prepare(this.claimed, this.journal, signal);
    const patience = whenAborted(signal).then(() => delay(PREPARE_GRACE_MS, null, { ref: false }));
    const usable = preparing.catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    const prepared = await Promise.race([usable, patience]);
    if (prepared === null) void usable.finally(() => this.services.releaseState(this.claimed, this.attempt.fence));
    return prepared;
  }

  /** A process that cannot be served to its end has no owner, and must not live on. */
  private async serveOrDiscard(live: LiveProcess, origin: ProcessOrigin, prepared: PreparedTurn): Promise<RunEnd> {
    try {
      return await this.serveOn(live, origin, prepared);
    } catch (error) {
      await this.services.discard(live);
      throw error;
    }
  }

  private endingOf(last: RunEnd | null): Ending {
    return namingLimit(this.payments.explain(this.endingAsSeen(last)), this.claimed.options);
  }

  private endingAsSeen(last: RunEnd | null): Ending {
    if (last === null)
      return decideEnding({
        stream: { outcome: 'interrupted', error: null },
        resultBeforeStop: false,
        stopReason: this.stopReason,
        lineTooLong: false,
        exit: null,
      });
    return startFailure(last) ?? decideEnding({ ...last, stream: last.outcome });
  }

  private async serveOn(live: LiveProcess, origin: ProcessOrigin, prepared: PreparedTurn): Promise<RunEnd> {
    const serving = new TurnServing(this.parts, this, { live, origin, prepared });
    this.serving = serving;
    const end = serving.serve();
    if (this.stopReason) serving.stop(this.stopReason);
    const ended = await end;
    this.serving = null;
    this.lastWords = serving.lastWords;
    return ended;
  }

  private stop(reason: StopReason): void {
    // Whatever else ends it, that is what must be known of it.
    this.stopReason = reason === 'bypassed' ? reason : (this.stopReason ?? reason);
    this.stopped.abort();
    this.serving?.stop(reason);
  }

  private startAfresh(prepared: PreparedTurn, end: RunEnd): PreparedTurn {
    this.journal.record('session:error', {
      code: 'RESUME_FAILED',
      detail:
        'The earlier conversation could not be found, so this turn started a new one. The files are as they were.',
      retryable: true,
    });
    this.recordExit(end, false);
    return { ...prepared, resume: null };
  }

  /** The one automatic retry: true when a second attempt owns the session now. */
  private async retryAfter(end: RunEnd): Promise<boolean> {
    const crashed = end.result === null && end.outcome.error?.code === 'PROCESS_CRASHED';
    const permitted =
      nextStatus(this.status, 'retry') !== null &&
      mayRetry({
        attempt: this.attempt.attempt,
        processDied:
          crashed &&
          end.stopReason === null &&
          end.sawInit &&
          !end.lineTooLong &&
          !(end.exit && exceededLimit(end.exit)),
        mutatingToolStarted: end.mutatingToolStarted,
        interruptRequested: this.stopReason !== null,
      });
    if (!permitted) return false;
    this.journal.withdrawAll('retry');
    this.recordExit(end, false);
    if (!(await this.state.retry())) return false;
    this.log.warn({ attempt: this.attempt.attempt }, 'turn.retried');
    return true;
  }

  /**
   * Which files a turn changed that could change some: said once nothing of it works in the workspace. False
   * when that could not be found out in time.
   */
  private async tellChanges({ ending, live }: Done): Promise<boolean> {
    await live?.process.sandboxed.killStrays();
    const changes = await Promise.race([
      this.services.summariseChanges(this.claimed),
      delay(CHANGES_PATIENCE_MS, null, { ref: false }),
    ]);
    if (changes && changes.files.length > 0)
      this.journal.record('turn:notice', changesNotice(changes, ending, this.timings.ranMs(), this.journal.masks));
    return changes !== null;
  }

  private recordExit(end: RunEnd, final: boolean): void {
    this.journal.record('process:exit', {
      code: end.exit?.code ?? null,
      signal: end.exit?.signal ?? null,
      attempt: this.attempt.attempt,
      final,
    });
  }

  private async settle({ ending, last, prepared, live }: Done): Promise<void> {
    this.timings.mark('ended');
    const { services, claimed, journal, attempt, costs, timings, lastWords } = this;
    const bootFingerprint = last?.sawInit ? (prepared?.bootFingerprint ?? null) : null;
    await services.settle({
      claimed,
      journal,
      attempt,
      ending,
      last,
      lastWords,
      launch: this.state.untoldLaunch,
      costs,
      timings,
      bootFingerprint,
    });
    this.log.info({ cause: ending.cause, code: ending.error?.code, timings: timings.snapshot() }, 'turn.ended');
    this.settled = true;
    if (live) {
      live.turnsServed += 1;
      live.nextFence = attempt.fence + 2n;
      live.conversation = last?.outcome.claudeSessionId ?? null;
      live.lastTurnId = this.turnId;
      live.lastAttempt = attempt.attempt;
      await services.park(live);
    }
    this.onRestChanged();
    if (ending.error?.code === 'SANDBOX_UNAVAILABLE') services.sandboxFailed();
    if (!prepared || !last) services.releaseState(claimed, attempt.fence);
    else
      await services.storeState(claimed, {
        fence: attempt.fence,
        claudeSessionId: last.outcome.claudeSessionId,
        mutated: last.mutatingToolStarted || prepared.setupRan,
      });
  }
}
