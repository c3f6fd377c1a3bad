import type { EventPayload } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { metrics, type Logger } from '@chirality/platform';
import { refusalNotice } from '../egress';
import type { RunResult } from '../harness/harness-output';
import type { TurnPayments } from '../key/turn-payments';
import type { LiveProcess, ProcessOrigin } from '../process/live-process';
import { ProcessRun, type RunEnd, type RunPorts } from '../process/process-run';
import type { RawLog } from '../process/raw-log';
import type { PreparedTurn } from '../process/prepared-turn';
import type { ProcessLimitNotice } from './process-limit-notice';
import type { TurnCosts } from '../key/turn-costs';
import type { StopReason } from '../outcome/turn-ending';
import type { TurnJournal } from '../record/turn-journal';
import { TurnPermissions, type PermissionHost } from './turn-permissions';
import type { TurnServices } from './turn-services';
import type { TurnState } from './turn-state';
import type { TurnTimings } from '../record/turn-timings';

/** What one turn keeps through all the processes that serve it. */
export interface TurnParts {
  claimed: ClaimedTurn;
  services: TurnServices;
  journal: TurnJournal;
  state: TurnState;
  timings: TurnTimings;
  costs: TurnCosts;
  payments: TurnPayments;
  rawLog: RawLog;
  log: Logger;
  processLimit: ProcessLimitNotice;
}

/** One process serving a turn, from the message that it is given to the end of what it does with it. */
export class TurnServing {
  /** What came of the turn, where the process's end of it came at once: reported with the turn's end then. */
  lastWords: EventPayload<'session:complete'> | null = null;
  private readonly permissions: TurnPermissions;
  private readonly run: ProcessRun;
  private resultRecorded: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: TurnParts,
    host: PermissionHost,
    private readonly by: { live: LiveProcess; origin: ProcessOrigin; prepared: PreparedTurn },
  ) {
    const { services, claimed, journal, rawLog, timings, log } = parts;
    const { live, origin, prepared } = by;
    this.permissions = new TurnPermissions(live.process.channel, prepared, host, services, () =>
      prepared.mayChange.then(() => services.policyInForce(claimed)),
    );
    this.begin();
    this.run = new ProcessRun(
      live.process,
      journal,
      rawLog,
      timings,
      this.listeners(),
      log,
      services.limits(prepared, origin),
      services.mayPark(claimed, prepared),
    );
  }

  get stoppedFor(): StopReason | null {
    return this.run.stoppedFor;
  }

  /** Resolves when the process is done with the turn, everything of it is recorded, and every message's usage is stored. */
  async serve(): Promise<RunEnd> {
    const { claimed, timings } = this.parts;
    const { live, origin, prepared } = this.by;
    timings.origin = origin;
    metrics.turnProcesses.inc({ process: origin });
    timings.mark('spawned');
    if (origin === 'cold') live.process.initialize();
    live.process.say(claimed.kind, prepared.message);
    const end = await this.run.finished;
    prepared.keepPrompt();
    await this.permissions.close();
    live.process.sandboxed.onProcessLimit = null;
    await this.resultRecorded;
    await live.lease.unbind();
    return end;
  }

  stop(reason: StopReason): void {
    this.run.stop(reason);
  }

  waiting(isWaiting: boolean): void {
    this.run.enter(isWaiting ? 'waiting' : 'running');
  }

  lookAtPermissions(): void {
    this.permissions.look();
  }

  private begin(): void {
    const { services, claimed, journal, state, costs, payments, processLimit } = this.parts;
    const { live, origin, prepared } = this.by;
    const start = {
      attempt: state.attempt.attempt,
      worker: services.workerId,
      process: origin,
      paidBy: prepared.account.paidBy,
    };
    // One that waited announces itself a moment later.
    if (origin === 'cold') journal.record('turn:start', start);
    else journal.recordWithNext('turn:start', start);
    live.process.sandboxed.onProcessLimit = (limit) => processLimit.say(limit);
    services.bind(live, claimed, state.attempt.attempt, { costs, payments }, (refusal) =>
      journal.record('turn:notice', refusalNotice(refusal)),
    );
  }

  private listeners(): RunPorts {
    const { services, state, log } = this.parts;
    const { prepared } = this.by;
    return {
      onAnnounced: (init) => this.becomeRunning(init),
      onFirstText: () => prepared.keepPrompt(),
      onResult: (result, isEnd) => {
        this.resultRecorded = this.recordResult(result, isEnd);
      },
      onToolRuling: (ruling) => this.permissions.compare(ruling),
      onToolStarted: (call) => this.permissions.toolStarted(call),
      onToolEnded: (toolUseId, outcome) => {
        services.closeLedger(state.attempt, toolUseId, outcome);
        void this.permissions.toolEnded(toolUseId);
      },
      onControlRequest: (requestId, request) => {
        if (!this.permissions.handle(requestId, request))
          log.warn({ subtype: request['subtype'] }, 'claude.unknown_control_request');
      },
      onControlCancel: (requestId) => void this.permissions.withdraw(requestId),
      onStopping: (reason, rung) => log.info({ reason, rung }, 'turn.stopping'),
    };
  }

  /** In one commit with what the program says of itself, where it is the first time that it does. */
  private becomeRunning(init?: EventPayload<'session:init'>): void {
    const { journal, state } = this.parts;
    const announce = () => {
      if (init) journal.record('session:init', init);
    };
    if (state.status !== 'starting') return announce();
    void state.change('spawned', init ? [{ kind: 'session:init', payload: init }] : []).then((changed) => {
      if (!changed) announce();
    });
  }

  private async recordResult(result: RunResult, isEnd: boolean): Promise<void> {
    // It says only that there was nothing to continue: the turn begins again.
    if (result.error?.code === 'RESUME_FAILED') return;
    // A local command answers without announcing itself.
    this.becomeRunning();
    await this.by.live.lease.unbind();
    const complete = { text: result.text, degraded: result.degraded, ...this.parts.costs.soFar() };
    if (isEnd) this.lastWords = complete;
    else
      await this.parts.state.change(
        'result',
        result.outcome === 'completed' ? [{ kind: 'session:complete', payload: complete }] : [],
      );
  }
}
