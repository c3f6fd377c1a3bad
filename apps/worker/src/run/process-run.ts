import { maskHead, maskText } from '@chirality/domain';
import { cutForLog, cutMalformedForLog } from '@chirality/platform';
import { NOISE_SAMPLE_CHARS, type HarnessProcess, type TurnSink } from '../harness/harness';
import type { HarnessOutput, RunOutcome, RunResult } from '../harness/harness-output';
import type { SandboxExit } from '../sandbox/sandbox.types';
import { BoundedLog } from './bounded-log';
import { InterruptLadder } from './interrupt-ladder';
import { StderrTail } from './stderr-tail';
import type { Judged } from '../outcome/held-to-schema';
import type { StopReason } from '../outcome/turn-ending';
import type { RunEnd } from '../outcome/run-end';
import type { UnansweredEnd } from '../permission/permission-requests';
import type { TurnPermissions } from '../permission/turn-permissions';
import type { ActiveTurn } from '../record/active-turn';
import type { TurnProgress } from './turn-progress';
import { TurnWatchdog, type WatchdogLimits, type WatchdogPhase } from '../outcome/turn-watchdog';

/** After its result a process has this long to exit before it is made to. */
const EXIT_GRACE_MS = 5_000;

const LOOK_EVERY_MS = 250;

/** Nothing more of the process may happen. */
const MUST_END_AT_ONCE: ReadonlySet<StopReason> = new Set(['fenced', 'bypassed', 'refused_start']);

/**
 * One process serving one turn: hands the stream's facts to the recorder, permissions and progress, watches the time,
 * and ends the process when it is done, silent or no longer wanted. `finished` resolves once: when the process is gone,
 * or, where it may live on, at its result.
 */
export class ProcessRun implements TurnSink {
  readonly finished: Promise<RunEnd>;
  private finish: (exit: SandboxExit | null) => void = () => undefined;
  private readonly ladder: InterruptLadder;
  private readonly watchdog: TurnWatchdog;
  private readonly stderrTail: StderrTail;
  private readonly sayings: BoundedLog;
  private readonly looking: NodeJS.Timeout;
  private result: RunResult | null = null;
  /** What the turn amounted to at its own result: nothing that the process writes afterwards belongs to it. */
  private outcomeAtResult: RunOutcome | null = null;
  private stopReason: StopReason | null = null;
  private resultBeforeStop = false;
  private tooLong = false;
  private sawInit = false;
  /** The program left the mode that it was started in, so the next turn's mode would not be its own. */
  private inOtherMode = false;
  private mutatingToolStarted = false;
  private judging: Promise<void> | null = null;
  private exitTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly process: HarnessProcess,
    private readonly turn: Pick<ActiveTurn, 'recorder' | 'rawLog' | 'timings' | 'log'>,
    private readonly permissions: Pick<
      TurnPermissions,
      'handle' | 'withdraw' | 'compare' | 'startRefused' | 'toolStarted' | 'toolEnded'
    >,
    private readonly progress: Pick<TurnProgress, 'announced' | 'firstText' | 'resulted'>,
    limits: WatchdogLimits,
    private readonly mayLiveOn: boolean,
    private readonly judge: (result: RunResult) => Judged | Promise<Judged>,
  ) {
    this.finished = new Promise<SandboxExit | null>((resolve) => (this.finish = resolve)).then(async (exit) => {
      // The process may be gone before its answer is judged.
      await this.judging;
      return this.close(exit);
    });
    this.ladder = new InterruptLadder(
      {
        ask: () => process.interrupt(),
        interrupt: () => void process.sandboxed.signalProgram('SIGINT'),
        terminate: () => void process.sandboxed.signalProgram('SIGTERM'),
        kill: () => process.sandboxed.killTree(),
      },
      (rung) => turn.log.info({ reason: this.stopReason ?? 'silence', rung }, 'turn.stopping'),
    );
    this.watchdog = new TurnWatchdog(limits, (verdict) => this.stop(verdict));
    this.sayings = new BoundedLog(turn.log);
    this.stderrTail = new StderrTail(
      (line) => this.sayings.warn({ line: cutForLog(line) }, 'claude.stderr'),
      (line, isCut) => (isCut ? maskHead(line, turn.recorder.masks) : maskText(line, turn.recorder.masks)),
    );
    this.looking = setInterval(() => this.watchdog.look(), LOOK_EVERY_MS);
    process.serve(this);
    void process.exited.then((exit) => this.finish(exit));
  }

  /** How requests end that are open now, should no one answer them. */
  get unansweredEnd(): UnansweredEnd {
    return this.stopReason === 'wait' ? 'expired' : 'run_ended';
  }

  /** Ends the turn's process from the lowest rung that makes sense. The first reason stays. */
  stop(reason: StopReason): void {
    if (this.stopReason !== null) {
      if (reason === 'bypassed') this.stopReason = reason;
      if (MUST_END_AT_ONCE.has(reason)) this.process.sandboxed.killTree();
      return;
    }
    this.stopReason = reason;
    // What never announced itself has nothing that a polite end would save.
    if (MUST_END_AT_ONCE.has(reason) || reason === 'start') return this.process.sandboxed.killTree();
    // Before it announced itself the program cannot be asked, and it has done nothing yet that a signal could break.
    this.ladder.start(this.sawInit ? 'ask' : 'interrupt');
  }

  enter(phase: WatchdogPhase): void {
    this.watchdog.enter(phase);
  }

  reading(reading: boolean): void {
    this.watchdog.setReading(reading);
  }

  raw(chunk: Buffer): void {
    this.turn.timings.mark('firstByte');
    this.watchdog.heard();
    this.turn.rawLog.write('raw', chunk);
  }

  stderr(chunk: Buffer): void {
    this.turn.rawLog.write('stderr', chunk);
    this.stderrTail.push(chunk);
  }

  noise(reason: string, sample: string): void {
    const mask = sample.length === NOISE_SAMPLE_CHARS ? maskHead : maskText;
    this.sayings.warn(
      { reason, sample: cutMalformedForLog(mask(sample, this.turn.recorder.masks)) },
      'claude.malformed_line',
    );
  }

  lineTooLong(bytes: number): void {
    if (this.tooLong) return;
    this.tooLong = true;
    this.turn.log.warn({ bytes }, 'claude.line_too_long');
    this.process.sandboxed.killTree();
  }

  output(output: HarnessOutput): void {
    if (this.outcomeAtResult !== null) return this.refuseAfterResult(output);
    switch (output.type) {
      case 'event':
        if (output.event.kind === 'session:init') this.progress.announced(output.event.payload);
        else this.turn.recorder.record(output.event.kind, output.event.payload);
        if (output.event.kind === 'tool:start') this.permissions.toolStarted(output.event.payload);
        if (output.event.kind === 'tool:result')
          this.permissions.toolEnded(output.event.payload.toolUseId, output.event.payload.isError ? 'error' : 'ok');
        return;
      case 'init':
        this.sawInit = true;
        this.turn.timings.mark('init');
        this.watchdog.enter('running');
        return;
      case 'first-text':
        this.turn.timings.mark('firstText');
        this.progress.firstText();
        return;
      case 'tool-started':
        this.mutatingToolStarted ||= output.mutating;
        return;
      case 'tool-ruling':
        this.permissions.compare(output);
        return;
      case 'start-refused':
        this.permissions.startRefused(output.differences);
        return;
      case 'permission-mode':
        this.inOtherMode = !output.asAsked;
        return;
      case 'tool-ended':
        this.turn.timings.tool(output.toolUseId, output.ms);
        return;
      case 'control-request':
        if (!this.permissions.handle(output.requestId, output.request))
          this.turn.log.warn({ subtype: output.request['subtype'] }, 'claude.unknown_control_request');
        return;
      case 'control-cancel':
        this.permissions.withdraw(output.requestId, this.unansweredEnd);
        return;
      case 'result':
        this.acceptResult(output.result);
        return;
      default:
        return;
    }
  }

  private acceptResult(reported: RunResult): void {
    this.result = { ...reported, structured: null };
    // Messages that the program itself queued get separate results: only the last one is judged.
    if (reported.queuedTurnCount > 0) return;
    if (this.stopReason === null) this.resultBeforeStop = true;
    this.watchdog.enter('ended');
    const outcome = this.process.outcome(null, this.stderrTail.lastLines());
    this.outcomeAtResult = { ...outcome, structured: null };
    const judged = this.judge(reported);
    if (!(judged instanceof Promise)) return this.conclude(reported, outcome, judged);
    this.judging = judged.then((later) => this.conclude(reported, outcome, later));
  }

  private conclude(reported: RunResult, outcome: RunOutcome, judged: Judged): void {
    const result = { ...reported, ...judged };
    this.result = result;
    this.outcomeAtResult = { ...outcome, ...judged };
    const livesOn = this.mayLiveOn && !this.inOtherMode && this.stopReason === null && result.outcome === 'completed';
    this.progress.resulted(result, livesOn && !this.mutatingToolStarted);
    if (livesOn) return this.finish(null);
    this.process.endInput();
    this.exitTimer = setTimeout(() => this.ladder.start('interrupt'), EXIT_GRACE_MS);
  }

  /** The program may continue without a message, or answer our signals with another result; no tool of that may run. */
  private refuseAfterResult(output: HarnessOutput): void {
    this.turn.log.debug({ what: output.type }, 'claude.spoke_after_result');
    if (output.type === 'tool-ruling') this.permissions.compare(output);
    if (output.type === 'control-request') this.process.channel.respondError(output.requestId, 'the turn is over');
  }

  private close(exit: SandboxExit | null): RunEnd {
    clearInterval(this.looking);
    if (this.exitTimer) clearTimeout(this.exitTimer);
    this.ladder.stop();
    this.watchdog.enter('ended');
    this.stderrTail.end();
    this.sayings.end();
    this.turn.recorder.closeBlocks();
    return {
      outcome: this.outcomeAtResult ?? this.process.outcome(exit, this.stderrTail.lastLines()),
      exit,
      result: this.result,
      stopReason: this.stopReason,
      resultBeforeStop: this.resultBeforeStop,
      lineTooLong: this.tooLong,
      sawInit: this.sawInit,
      mutatingToolStarted: this.mutatingToolStarted,
      stderr: this.stderrTail.lastLines(),
    };
  }
}
