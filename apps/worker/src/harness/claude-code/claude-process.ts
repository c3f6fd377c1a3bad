import type { TurnKind } from '@chirality/contracts';
import type { SandboxedProcess, SandboxExit } from '../../sandbox/sandbox.types';
import type { Backlog, HarnessProcess, MessageBlock, RetuneFailure, TurnSink, Tuning } from '../harness';
import type { AskedFor, RunOutcome } from '../harness-output';
import { ControlChannel } from './control-channel';
import { NdjsonFramer } from './framing/ndjson-framer';
import { ClaudeStreamMapper } from './mapper/claude-stream-mapper';
import { readToItsEnd } from './process-end';
import { retune } from './retuning';
import { userMessage } from './user-message';

/** The most that is kept of what a process wrote before its first turn attached. */
const EARLY_OUTPUT_LIMIT = 1024 * 1024;

/** One running `claude`, spoken to by the control protocol on its stdin. */
export class ClaudeProcess implements HarnessProcess {
  readonly channel: ControlChannel;
  readonly exited: Promise<SandboxExit>;
  private readonly framer: NdjsonFramer;
  private readonly mapper: ClaudeStreamMapper;
  private sink: TurnSink | null = null;
  private early: Buffer[] = [];
  private earlyBytes = 0;
  /** What the next turn's `init` is to be compared with, where it is no longer what the process was started with. */
  private retuned: Partial<Tuning> = {};
  /** Reads the program's answers where nothing is served. */
  private listener: NdjsonFramer | null = null;

  constructor(
    readonly sandboxed: SandboxedProcess,
    private readonly options: { asked: AskedFor; requestedSessionId: string | null; backlog: Backlog },
  ) {
    this.channel = new ControlChannel(sandboxed.stdin);
    this.mapper = new ClaudeStreamMapper({
      requestedSessionId: options.requestedSessionId,
      asked: options.asked,
      clock: () => performance.now(),
    });
    this.framer = new NdjsonFramer({
      onLine: (line) => this.acceptLine(line),
      onNoise: (reason, sample) => this.sink?.noise(reason, sample),
      onTooLong: (bytes) => this.sink?.lineTooLong(bytes),
      onOverflow: (bytes) => this.sink?.lineTooLong(bytes),
    });
    sandboxed.stdout.on('data', (chunk: Buffer) => this.acceptChunk(chunk));
    sandboxed.stdout.on('error', () => undefined);
    sandboxed.stderr.on('data', (chunk: Buffer) => this.sink?.stderr(chunk));
    sandboxed.stderr.on('error', () => undefined);
    this.exited = this.watchExit();
  }

  serve(sink: TurnSink): void {
    this.sink = sink;
    this.listener = null;
    this.mapper.beginTurn(this.retuned);
    this.retuned = {};
    const early = this.early;
    this.early = [];
    this.earlyBytes = 0;
    for (const chunk of early) this.acceptChunk(chunk);
  }

  initialize(): void {
    void this.channel.request({
      subtype: 'initialize',
      // Without onFailure a callback that fails lets the tool run.
      hooks: { PreToolUse: [{ hookCallbackIds: ['pre-tool-use'], onFailure: 'block' }] },
    });
  }

  async retune(changes: Partial<Tuning>): Promise<RetuneFailure | null> {
    // What it says from here on belongs to the turn that it is retuned for.
    this.sink = null;
    this.listener = this.listen();
    this.retuned = changes;
    return retune(this.channel, changes);
  }

  say(kind: TurnKind, message: string, blocks?: readonly MessageBlock[]): void {
    this.channel.send(userMessage(kind, message, blocks));
  }

  interrupt(): void {
    void this.channel.request({ subtype: 'interrupt' });
  }

  endInput(): void {
    this.channel.end();
  }

  outcome(exit: SandboxExit | null, stderr: string): RunOutcome {
    return this.mapper.finish({ code: exit?.code ?? null, signal: exit?.signal ?? null, stderr });
  }

  private acceptChunk(chunk: Buffer): void {
    if (this.sink === null) return this.keepEarly(chunk);
    this.sink.raw(chunk);
    this.framer.push(chunk);
    if (this.options.backlog.isFull()) void this.pauseUntilDrained();
  }

  private keepEarly(chunk: Buffer): void {
    this.earlyBytes += chunk.length;
    if (this.earlyBytes > EARLY_OUTPUT_LIMIT) return this.sandboxed.killTree();
    this.early.push(chunk);
    this.listener?.push(chunk);
  }

  /**
   * Finds answers in what is kept for the next turn, which reads it once more. Of the first line it may see only the
   * end.
   */
  private listen(): NdjsonFramer {
    const mapper = new ClaudeStreamMapper({ requestedSessionId: null, asked: {}, clock: () => 0 });
    const ignore = () => undefined;
    const onLine = (line: string) => {
      for (const output of mapper.accept(parsed(line)))
        if (output.type === 'control-response') this.channel.accept(output.requestId, output.answer);
    };
    return new NdjsonFramer({ onLine, onNoise: ignore, onTooLong: ignore });
  }

  private async pauseUntilDrained(): Promise<void> {
    if (this.sandboxed.stdout.isPaused()) return;
    this.sandboxed.stdout.pause();
    this.sink?.reading(false);
    await this.options.backlog.whenDrained();
    this.sink?.reading(true);
    this.sandboxed.stdout.resume();
  }

  private acceptLine(line: string): void {
    const record = parsed(line);
    if (record === undefined) return this.sink?.noise('not JSON', line);
    for (const output of this.mapper.accept(record)) {
      if (output.type === 'control-response') this.channel.accept(output.requestId, output.answer);
      else this.sink?.output(output);
    }
  }

  private async watchExit(): Promise<SandboxExit> {
    const exit = await readToItsEnd(this.sandboxed, () => this.options.backlog.whenDrained().then(nextTick));
    this.framer.end();
    this.channel.abandon();
    return exit;
  }
}

/** Undefined for what is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function nextTick(): Promise<true> {
  return new Promise((resolve) => setImmediate(() => resolve(true)));
}
