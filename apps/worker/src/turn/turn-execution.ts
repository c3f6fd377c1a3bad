import type { EventKind, TurnStatus } from '@chirality/contracts';
import type { ClaimedTurn, Tx } from '@chirality/database';
import { mayRetry, nextStatus, type TurnCause } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import { PermissionDesk } from '../permission/permission-desk';
import { ToolGate } from '../permission/tool-gate';
import type { GatewayLease } from '../gateway/model-gateway';
import { ClaudeProcess } from '../harness/claude-code/claude-process';
import { ProcessRun, type RunEnd } from './process-run';
import { RawLog } from './raw-log';
import { decideEnding, type Ending, type StopReason } from './turn-ending';
import { endingOfError, startFailure } from './turn-failure';
import { TurnCosts } from './turn-costs';
import { TurnJournal } from './turn-journal';
import type { RunningTurn } from './turn-scheduler';
import { TurnTimings } from './turn-timings';
import { userMessage } from './user-message';
import type { PreparedTurn } from './prepared-turn';
import type { TurnServices } from './turn-services';

/** Everything that a finished attempt leaves for the settlement. */
type Attempts = { ending: Ending; last: RunEnd | null; prepared: PreparedTurn | null };

/**
 * One claimed turn from its start to its one final state. Every write carries the claim's fence; the first one that is
 * refused ends the process and leaves the turn to whoever owns it now.
 */
export class TurnExecution implements RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;
  private readonly log: Logger;
  private readonly timings: TurnTimings;
  private readonly costs: TurnCosts;
  private journal: TurnJournal;
  private fence: bigint;
  private attempt: number;
  private status: TurnStatus = 'starting';
  private run_: ProcessRun | null = null;
  private desk: PermissionDesk | null = null;
  private stopReason: StopReason | null = null;

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly services: TurnServices,
    private readonly onWaitingChanged: () => void,
  ) {
    this.turnId = claimed.id;
    this.sessionId = claimed.sessionId;
    this.attempt = claimed.attempt;
    this.fence = claimed.fence;
    this.log = services.log.child({ session: this.sessionId, turn: this.turnId });
    this.timings = new TurnTimings(claimed.queuedAt, claimed.startedAt);
    this.journal = this.openJournal();
    this.costs = new TurnCosts((soFar) => this.journal.record('cost:update', soFar));
  }

  get isWaiting(): boolean {
    return this.status === 'awaiting_permission';
  }

  requestInterrupt(): void {
    this.stop('interrupt');
  }

  shutDown(): void {
    this.stop('shutdown');
  }

  abandon(): void {
    this.stop('fenced');
  }

  lookAtPermissions(): void {
    void this.desk?.look();
  }

  async run(): Promise<void> {
    this.log.info({ attempt: this.attempt, kind: this.claimed.kind }, 'turn.started');
    const attempts = await this.attemptUntilEnded();
    if (this.journal.isFenced) {
      this.log.warn('turn.fenced');
      return;
    }
    await this.settle(attempts);
    if (attempts.prepared && attempts.last) await this.services.storeState(this.claimed, this.fence, attempts.prepared, attempts.last);
  }

  private async attemptUntilEnded(): Promise<Attempts> {
    let prepared: PreparedTurn | null = null;
    let last: RunEnd | null = null;
    try {
      this.journal.record('turn:start', { attempt: this.attempt, worker: this.services.workerId, process: 'cold' });
      prepared = await this.services.prepare(this.claimed, this.journal);
      this.timings.mark('prepared');
      for (;;) {
        last = await this.runProcess(prepared);
        if (this.journal.isFenced) break;
        if (this.transcriptIsGone(prepared, last)) {
          prepared = this.startAfresh(prepared, last);
          continue;
        }
        if (!(await this.retryAfter(last))) break;
      }
      const failure = startFailure(last);
      return { ending: failure ?? decideEnding({ ...last, stream: last.outcome }), last, prepared };
    } catch (error) {
      this.log.error({ err: error }, 'turn.failed_to_run');
      return { ending: this.stopReason === 'interrupt' ? { cause: 'interrupt', error: null } : endingOfError(error), last, prepared };
    }
  }

  private async runProcess(prepared: PreparedTurn): Promise<RunEnd> {
    const rawLog = await RawLog.open(this.services.rawLogRoot, this.turnId, (error) => this.log.warn({ err: error }, 'turn.raw_log_failed'));
    const lease = await this.services.openGateway(this.claimed, this.attempt, this.costs);
    try {
      const run = await this.startProcess(prepared, lease, rawLog);
      const end = await run.finished;
      await this.closeOpenPermissions();
      return end;
    } finally {
      this.run_ = null;
      this.desk = null;
      // Resolves when every message's usage is stored.
      await lease.close();
      await rawLog.store(this.services.blobs);
    }
  }

  private async startProcess(prepared: PreparedTurn, lease: GatewayLease, rawLog: RawLog): Promise<ProcessRun> {
    const { sandboxed, asked } = await this.services.spawn(this.claimed, prepared, lease);
    this.timings.mark('spawned');
    let run: ProcessRun | null = null;
    const process = new ClaudeProcess(sandboxed, {
      asked,
      requestedSessionId: prepared.resume,
      backlog: this.services.backlog,
      onReading: (reading) => run?.setReading(reading),
    });
    const gate = this.openGate(process, prepared);
    const desk = this.openDesk(process, gate);
    run = new ProcessRun(
      process,
      this.journal,
      rawLog,
      this.timings,
      {
        onInit: () => this.becomeRunning(),
        onResult: (result) => this.recordResult(result),
        onControlRequest: (requestId, request) => void (request['subtype'] === 'hook_callback' ? gate.decide(requestId, request) : this.answerAsk(desk, requestId, request)),
        onControlCancel: (requestId) => void this.closePermission(desk.withdraw(requestId)),
        onStopping: (reason, rung) => this.log.info({ reason, rung }, 'turn.stopping'),
      },
      this.log,
      this.services.limits(prepared),
    );
    this.desk = desk;
    this.run_ = run;
    process.start(userMessage(this.claimed.kind, prepared.message));
    // An interrupt may have come while nothing was there to be interrupted.
    if (this.stopReason) run.stop(this.stopReason);
    return run;
  }

  private stop(reason: StopReason): void {
    this.stopReason ??= reason;
    this.run_?.stop(reason);
  }

  private openJournal(): TurnJournal {
    return new TurnJournal(this.services.append, { sessionId: this.sessionId, turnId: this.turnId, fence: this.fence }, () => this.stop('fenced'));
  }

  private openGate(process: ClaudeProcess, prepared: PreparedTurn): ToolGate {
    return new ToolGate(process.channel, prepared.gate, {
      rules: () => this.services.sessionRules(this.claimed),
      writeLedger: (entry) => this.services.writeLedger({ ...entry, turnId: this.turnId, sessionId: this.sessionId, attempt: this.attempt, fence: this.fence }),
      onDenied: (denial) => {
        this.journal.record('turn:notice', { level: 'warning', code: 'PERMISSION_DENIED', text: `${denial.tool} was not allowed: ${denial.reason}`, toolUseId: denial.toolUseId });
        if (denial.unattended) this.stop('unattended');
      },
    });
  }

  private openDesk(process: ClaudeProcess, gate: ToolGate): PermissionDesk {
    return new PermissionDesk(process.channel, {
      open: async (permission) => {
        const { id, ...payload } = permission;
        const event = { kind: 'permission:request' as const, payload: { permissionId: id, ...payload } };
        const asks = nextStatus(this.status, 'permission_asked');
        const opened = await this.change(asks ? 'permission_asked' : null, [event], (tx) => this.services.insertPermission(tx, this.claimed, permission));
        if (opened && asks) this.noteWaiting('waiting');
        return opened;
      },
      allSettled: async () => {
        if (await this.change('permission_settled')) this.noteWaiting('running');
      },
      read: (ids) => this.services.readPermissions(ids),
      allowed: (toolUseId) => this.services.markAllowed({ turnId: this.turnId, toolUseId, fence: this.fence }),
      denied: () => undefined,
      reasonFor: (toolUseId) => gate.decisionFor(toolUseId)?.reason ?? 'Claude Code asks for this tool',
    });
  }

  private async answerAsk(desk: PermissionDesk, requestId: string, request: Record<string, unknown>): Promise<void> {
    if (request['subtype'] === 'can_use_tool') await desk.ask(requestId, request);
    else this.log.warn({ subtype: request['subtype'] }, 'claude.unknown_control_request');
  }

  private noteWaiting(phase: 'waiting' | 'running'): void {
    this.run_?.enter(phase);
    this.onWaitingChanged();
    // The answer may have come between the row and the first look.
    if (phase === 'waiting') this.lookAtPermissions();
  }

  private becomeRunning(): void {
    if (this.status === 'starting') void this.change('spawned');
  }

  private recordResult(result: { outcome: string; text: string; degraded: boolean }): void {
    // A local command answers without announcing itself.
    this.becomeRunning();
    const complete = { kind: 'session:complete' as const, payload: { text: result.text, degraded: result.degraded, ...this.costs.soFar() } };
    void this.change('result', result.outcome === 'completed' ? [complete] : []);
  }

  /** Applies a cause to the turn's row together with events; keeps our own view of the status in step. */
  private async change(cause: TurnCause | null, events: { kind: EventKind; payload: unknown }[] = [], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    const from = this.status;
    const to = cause === null ? from : nextStatus(from, cause);
    if (to === null) return false;
    this.status = to;
    return this.journal.transition(async (tx) => {
      if (cause !== null && !(await this.services.applyTransition(tx, { turnId: this.turnId, from, cause, attempt: this.attempt, fence: this.fence }))) return false;
      await also?.(tx);
      return true;
    }, events);
  }

  private async closePermission(permissionId: string | null): Promise<void> {
    if (permissionId) await this.services.endPermissions(this.journal, [permissionId]);
    if (this.desk?.openIds.length === 0 && this.status === 'awaiting_permission') {
      if (await this.change('permission_settled')) this.noteWaiting('running');
    }
  }

  private async closeOpenPermissions(): Promise<void> {
    const open = this.desk?.openIds ?? [];
    if (open.length > 0) await this.services.endPermissions(this.journal, open);
  }

  private transcriptIsGone(prepared: PreparedTurn, end: RunEnd): boolean {
    return prepared.resume !== null && end.stopReason === null && end.outcome.error?.code === 'RESUME_FAILED';
  }

  private startAfresh(prepared: PreparedTurn, end: RunEnd): PreparedTurn {
    this.journal.record('session:error', { code: 'RESUME_FAILED', detail: 'The earlier conversation could not be found, so this turn started a new one. The files are as they were.', retryable: true });
    this.journal.record('process:exit', { code: end.exit.code, signal: end.exit.signal, attempt: this.attempt, final: false });
    return { ...prepared, resume: null };
  }

  /** The one automatic retry: true when a second attempt owns the session now. */
  private async retryAfter(end: RunEnd): Promise<boolean> {
    const permitted = mayRetry({
      attempt: this.attempt,
      processDied: end.result === null && end.stopReason === null && end.sawInit && !end.lineTooLong && !end.exit.oom && !end.exit.diskFull,
      mutatingToolStarted: end.mutatingToolStarted,
      interruptRequested: this.stopReason !== null,
    });
    if (!permitted) return false;
    for (const messageId of end.outcome.streamedMessageIds ?? []) this.journal.record('chat:withdrawn', { messageId, fromBlock: 0, reason: 'retry' });
    this.journal.record('process:exit', { code: end.exit.code, signal: end.exit.signal, attempt: this.attempt, final: false });
    if (!(await this.change('retry'))) return false;
    this.attempt += 1;
    this.journal.record('turn:start', { attempt: this.attempt, worker: this.services.workerId, process: 'cold' });
    this.log.warn({ attempt: this.attempt }, 'turn.retried');
    return true;
  }

  private async settle({ ending, last }: Attempts): Promise<void> {
    this.costs.stop();
    this.timings.mark('ended');
    await this.services.settle({
      claimed: this.claimed,
      journal: this.journal,
      from: this.status,
      attempt: this.attempt,
      fence: this.fence,
      ending,
      last,
      gatewayMessages: this.costs.messageCount,
      timings: this.timings,
      stopped: this.stopReason,
    });
    this.log.info({ status: ending.cause, code: ending.error?.code, timings: this.timings.snapshot() }, 'turn.ended');
  }
}
