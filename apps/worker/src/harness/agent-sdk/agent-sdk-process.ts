import { serialize } from 'node:v8';
import type { TurnKind } from '@chirality/contracts';
import type { SandboxedProcess, SandboxExit } from '../../sandbox/sandbox.types';
import { NdjsonFramer } from '../claude-code/framing/ndjson-framer';
import { ClaudeStreamMapper } from '../claude-code/mapper/claude-stream-mapper';
import { readToItsEnd } from '../claude-code/process-end';
import { retune } from '../claude-code/retuning';
import { userMessage } from '../claude-code/user-message';
import type { Backlog, ControlAnswer, HarnessProcess, MessageBlock, RetuneFailure, TurnSink, Tuning } from '../harness';
import type { AskedFor, HarnessOutput, RunOutcome } from '../harness-output';
import { HookRequests } from './hook-requests';
import { ProgramPipes } from './program-pipes';
import { queryStart } from './query-start';
import { spawnDifferences, type SpawnRequest } from './spawn-judge';
import type { ThreadLink } from './thread/thread-link';
import type { FromThread } from './thread/thread-protocol';

/** The most that is kept of what a process wrote, and its thread said of it, before its first turn attached. */
const EARLY_BYTES_LIMIT = 1024 * 1024;

/** What the shortest message takes, kept. */
const MESSAGE_BYTES = 256;

/** How long the thread may take to hand over the rest, once its process is gone. */
const THREAD_GRACE_MS = 500;

type Options = {
  asked: AskedFor;
  requestedSessionId: string | null;
  backlog: Backlog;
  /** As it was started, with what may be said of it to the thread. */
  started: SpawnRequest & { cwd: string };
  /** Works for nothing else, and ends with the process. */
  thread: ThreadLink;
};

/** What the sink gets once there is one. */
type Early = { raw: Buffer } | { record: unknown } | { output: HarnessOutput };

/**
 * One running `claude`, spoken to by the Agent SDK in a thread. This thread owns the process: the other one has its
 * bytes and says what it would do; whatever happens to it, the process is ended from here and at once.
 */
export class AgentSdkProcess implements HarnessProcess {
  readonly channel: HookRequests;
  readonly exited: Promise<SandboxExit>;
  private readonly mapper: ClaudeStreamMapper;
  private readonly thread: ThreadLink;
  private readonly pipes: ProgramPipes;
  private readonly lines: NdjsonFramer;
  private readonly controls = new Map<string, (answer: ControlAnswer) => void>();
  private readonly threadOver: Promise<void>;
  private threadIsOver: () => void = () => undefined;
  private sequence = 0;
  private sink: TurnSink | null = null;
  private early: Early[] = [];
  private earlyBytes = 0;
  private retuned: Partial<Tuning> = {};
  private inputOpen = true;
  private isStoring = false;
  private processGone = false;
  private killedByThread = false;
  /** Why the thread cannot continue, in words. */
  private fault: string | null = null;

  constructor(
    readonly sandboxed: SandboxedProcess,
    private readonly options: Options,
  ) {
    const { asked, requestedSessionId, started, thread } = options;
    this.mapper = new ClaudeStreamMapper({ requestedSessionId, asked, clock: () => performance.now() });
    this.threadOver = new Promise((resolve) => (this.threadIsOver = resolve));
    this.channel = new HookRequests(
      (id, decision) => this.thread.say({ type: 'decision', id, decision }),
      (output) => this.deliver({ output }),
      () => this.inputOpen && !this.processGone && this.fault === null,
    );
    this.thread = thread;
    thread.workFor({
      heard: (message) => this.heard(message),
      threw: (fault) => this.threadFailed(fault),
      ended: (fault) => this.threadEnded(fault),
    });
    this.pipes = new ProgramPipes(sandboxed, (message) => this.thread.say(message));
    // The thread takes the lines apart; here only those are seen that it must never get, or would not mention.
    this.lines = new NdjsonFramer({
      onNoise: (reason, sample) => this.sink?.noise(reason, sample),
      onTooLong: (bytes) => this.sink?.lineTooLong(bytes),
      onOverflow: (bytes) => this.sink?.lineTooLong(bytes),
    });
    sandboxed.stdout.on('data', (chunk: Buffer) => this.acceptChunk(chunk));
    sandboxed.stdout.on('error', () => undefined);
    sandboxed.stderr.on('data', (chunk: Buffer) => this.sink?.stderr(chunk));
    sandboxed.stderr.on('error', () => undefined);
    this.thread.say({ type: 'start', start: queryStart(started) });
    this.exited = this.watchExit();
  }

  serve(sink: TurnSink): void {
    this.sink = sink;
    this.mapper.beginTurn(this.retuned);
    this.retuned = {};
    this.earlyBytes = 0;
    for (const one of this.early.splice(0)) this.deliver(one);
  }

  /** The SDK asks for its callbacks before it says anything else. */
  initialize(): void {
    return;
  }

  async retune(changes: Partial<Tuning>): Promise<RetuneFailure | null> {
    // What it says from here on belongs to the turn that it is retuned for.
    this.sink = null;
    this.retuned = changes;
    return retune({ request: (request) => this.control(request) }, changes);
  }

  say(kind: TurnKind, message: string, blocks?: readonly MessageBlock[]): void {
    this.thread.say({ type: 'say', message: userMessage(kind, message, blocks) });
  }

  interrupt(): void {
    this.thread.say({ type: 'interrupt' });
  }

  endInput(): void {
    this.inputOpen = false;
    this.thread.say({ type: 'end_input' });
    // The SDK would wait until it finds the run to be over.
    this.sandboxed.stdin.end();
  }

  outcome(exit: SandboxExit | null, stderr: string): RunOutcome {
    const outcome = this.mapper.finish({ code: exit?.code ?? null, signal: exit?.signal ?? null, stderr });
    if (outcome.hasResult || this.fault === null) return outcome;
    const detail = `The Agent SDK ${this.fault}, so Claude Code was ended. The text so far is kept; send a message to continue.`;
    return { ...outcome, outcome: 'failed', error: { code: 'PROCESS_CRASHED', detail } };
  }

  private heard(message: FromThread): void {
    switch (message.type) {
      case 'spawn':
        return this.judge(message);
      case 'sdk_message':
        return this.deliver({ record: message.message });
      case 'hook_event':
        return this.channel.hook(message);
      case 'permission_request':
        return this.channel.permission(message.id, message.request);
      case 'withdrawn':
        return this.deliver({ output: { type: 'control-cancel', requestId: message.id } });
      case 'control_answer':
        this.controls.get(message.id)?.(message.answer);
        return void this.controls.delete(message.id);
      case 'stdin':
        return this.pipes.write(message.id, message.bytes);
      case 'stdin_end':
        return void this.sandboxed.stdin.end();
      case 'stdout_read':
        return this.pipes.read(message.count);
      case 'kill':
        this.killedByThread ||= !this.processGone;
        return this.sandboxed.killTree();
      case 'error':
        return this.sdkFailed(message.message);
      case 'done':
        return this.threadIsOver();
      case 'ready':
      case 'pong':
        return;
    }
  }

  /** Nothing that the thread writes reaches the program before this. */
  private judge({ command, args, cwd, env }: SpawnRequest): void {
    const differences = spawnDifferences({ command, args, cwd, env }, this.options.started);
    if (differences.length === 0) return this.pipes.open();
    this.failed('would have started another program than the one that was decided on');
    this.deliver({ output: { type: 'start-refused', differences } });
  }

  /** An error result is followed by an exception that says the same: the result has said it. */
  private sdkFailed(reason: string): void {
    if (!this.processGone) this.failed(`failed: ${reason.slice(0, 300)}`);
    this.threadIsOver();
  }

  /** In a thread that dies the SDK has the process ended first: what it died of is heard after that. */
  private threadFailed(fault: string): void {
    if (!this.processGone || this.killedByThread) this.failed(fault);
  }

  private threadEnded(fault: string | null): void {
    if (fault !== null) this.threadFailed(fault);
    this.threadIsOver();
  }

  private failed(fault: string): void {
    if (this.fault !== null) return;
    this.fault = fault;
    this.sandboxed.killTree();
    this.thread.say({ type: 'abort' });
    this.sink?.stderr(Buffer.from(`The Agent SDK ${fault}.\n`));
  }

  private acceptChunk(chunk: Buffer): void {
    this.deliver({ raw: chunk });
    this.pipes.carry(chunk);
    if (this.options.backlog.isFull()) void this.pauseUntilDrained();
  }

  private deliver(one: Early): void {
    const { sink } = this;
    if (sink === null) return this.keepEarly(one);
    if ('raw' in one) {
      sink.raw(one.raw);
      this.lines.push(one.raw);
    } else if ('output' in one) sink.output(one.output);
    else for (const output of this.mapper.accept(one.record)) sink.output(output);
  }

  private keepEarly(one: Early): void {
    this.earlyBytes += MESSAGE_BYTES + ('raw' in one ? one.raw.length : serialize(one).length);
    if (this.earlyBytes <= EARLY_BYTES_LIMIT) return void this.early.push(one);
    this.early = [];
    this.failed('said too much before its first turn');
  }

  private control(request: Record<string, unknown>): Promise<ControlAnswer> {
    const id = `c${(this.sequence += 1)}`;
    return new Promise((resolve) => {
      this.controls.set(id, resolve);
      this.thread.say({ type: 'control', id, request });
    });
  }

  private async pauseUntilDrained(): Promise<void> {
    if (this.isStoring) return;
    this.isStoring = true;
    this.pipes.hold('store');
    this.sink?.reading(false);
    await this.options.backlog.whenDrained();
    this.isStoring = false;
    this.sink?.reading(true);
    this.pipes.release('store');
  }

  private async watchExit(): Promise<SandboxExit> {
    const exit = await readToItsEnd(this.sandboxed, () => this.untilReadable());
    this.processGone = true;
    this.lines.end();
    this.thread.say({ type: 'stdout_end' });
    this.thread.say({ type: 'exit', code: exit.code, signal: exit.signal });
    while (await this.threadReadsOn());
    this.channel.close();
    for (const answer of this.controls.values()) answer({ ok: false, error: 'the process is gone' });
    this.controls.clear();
    this.thread.terminate();
    return exit;
  }

  /** False when it is the thread that does not read, and will not. */
  private untilReadable(): Promise<boolean> {
    if (this.isStoring) return this.options.backlog.whenDrained().then(nextTick);
    return Promise.race([this.pipes.whenReleased().then(nextTick), this.threadReadsOn()]);
  }

  /** Whether in the time that it has it read something and is not done. */
  private async threadReadsOn(): Promise<boolean> {
    const { left } = this.pipes;
    const isOver = await Promise.race([this.threadOver.then(() => true), delay(THREAD_GRACE_MS)]);
    return !isOver && this.pipes.left < left;
  }
}

function nextTick(): Promise<true> {
  return new Promise((resolve) => setImmediate(() => resolve(true)));
}

function delay(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
