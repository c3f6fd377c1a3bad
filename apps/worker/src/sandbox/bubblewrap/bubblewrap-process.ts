import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextImmediate, setTimeout as delay } from 'node:timers/promises';
import { BRIDGE_PID } from './egress-bridge';
import { failureSentence } from './failure-sentence';
import { LOCK_BUSY_EXIT } from '../host/lock-argv';
import {
  descendantsOf,
  glanceBelow,
  inotifyInstancesOf,
  innerPid,
  isRunning,
  pidsInNamespaceOf,
  readProcess,
  signalProcess,
  useOf,
  usesInNamespaceOf,
  type ProcessEntry,
} from '../process/process-table';
import type { TreeUse, WatchedProcess } from '../process/resource-watch';
import type { ExceededLimit, SandboxExit, SandboxedProcess } from '../sandbox.types';
import { killStraysBelow } from '../process/stray-killer';
import { StderrTail } from './stderr-tail';
import { followStatus, type SandboxStatus } from './status-reader';

/** In bubblewrap's PID namespace 1 is its own init and 2 the command. */
const INIT = 1;
const COMMAND = 2;
/** Hundredths of a second: the program alone takes about forty to read its first message. */
const BRIDGE_STARTS_WITHIN_TICKS = 200;
const STATUS_GRACE_MS = 3_000;
const REAP_GRACE_MS = 500;
/**
 * Until then what was written before the end is read, unless the machine is busy or something keeps the status open.
 */
const STATUS_READ_MS = 100;
const STATUS_END_MS = 2_000;
/** Several looks of the watch: a program that ends longer after its limit was met ends for another reason. */
const STARVED_WITHIN_MS = 5_000;
/** A code above this is a signal's number. */
const SIGNALLED = 128;
const KILLED_CODE = SIGNALLED + 9;

/** A running chain choom → nice → prlimit → flock → bwrap, all under one pid, and the namespace below it. */
export class BubblewrapProcess implements SandboxedProcess, WatchedProcess {
  readonly pid: number;
  readonly startedAt = Date.now();
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr = new PassThrough();
  readonly exited: Promise<SandboxExit>;
  onProcessLimit: ((limit: number) => void) | null = null;
  private readonly stderrTail: StderrTail;
  private status: SandboxStatus = { initPid: null, pidNamespace: null, exitCode: null };
  private init: ProcessEntry | null = null;
  private command: ProcessEntry | null = null;
  private killed = false;
  /** When it was last seen at its limit of processes. */
  private atProcessLimitMs = -Infinity;
  private endedBy: ExceededLimit | null = null;

  constructor(
    private readonly child: ChildProcess & { pid: number; stdin: Writable; stdout: Readable; stderr: Readable },
    private readonly statusStream: Readable,
    private readonly hasBridge = false,
  ) {
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderrTail = new StderrTail(child.stderr);
    child.stderr.pipe(this.stderr);
    // A process that ended before it read everything is an outcome (its exit), not an error of the stream.
    this.stdin.on('error', () => undefined);
    followStatus(statusStream, (status) => this.learn(status));
    // The return value says that a signal could not be delivered.
    child.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(this.conclude(code, signal)));
    });
  }

  signalProgram(signal: NodeJS.Signals): boolean {
    const command = this.findCommand();
    return command !== null && signalProcess(command, signal);
  }

  killTree(): void {
    if (this.killed) return;
    this.killed = true;
    // Until a line names the init, the init may not yet have tied its life to its parent's: without the parent it would
    // live on.
    if (this.init) this.killFromTheInitUp(this.init);
    else this.killOutermostAfter(STATUS_GRACE_MS);
  }

  async killStrays(): Promise<boolean> {
    const command = this.findCommand();
    if (this.init === null || command === null) return false;
    // Two looks, because a process may fork behind the first one's back.
    if (holdsOnlyTheCommand(this.init) && holdsOnlyTheCommand(this.init)) return true;
    return killStraysBelow(this.init.pid, [command.pid, ...this.bridgePids(command)]);
  }

  /** The live processes inside, without the namespace's init. */
  members(): ProcessEntry[] {
    return this.init ? glanceBelow(this.init.pid).filter(isRunning) : [];
  }

  use(): TreeUse {
    // A pid that was given away while it was read would show another namespace, or the host itself.
    const inNamespace = this.init && usesInNamespaceOf(this.init);
    const all =
      inNamespace && this.init && isSame(this.init) ? inNamespace : this.members().map(({ pid }) => useOf(pid));
    return {
      memoryBytes: all.reduce((sum, { privateBytes }) => sum + privateBytes, 0),
      processes: all.reduce((sum, { threads }) => sum + threads, 0),
    };
  }

  count(): number {
    return (this.init && pidsInNamespaceOf(this.init)?.length) ?? 0;
  }

  inotifyInstances(): number {
    return this.members().reduce((sum, { pid }) => sum + inotifyInstancesOf(pid), 0);
  }

  /** Kills the tree and lets the exit say why. */
  endFor(reason: ExceededLimit): void {
    this.endedBy ??= reason;
    this.killTree();
  }

  atProcessLimit(limit: number): void {
    if (this.killed) return;
    this.atProcessLimitMs = performance.now();
    this.onProcessLimit?.(limit);
  }

  private learn(status: SandboxStatus): void {
    this.status = status;
    if (this.init || status.initPid === null || innerPid(status.initPid) !== INIT) return;
    this.init = readProcess(status.initPid);
    if (this.killed && this.init) this.killFromTheInitUp(this.init);
  }

  /**
   * With the init everything inside dies, and its parent, still there to reap it, exits: nothing is left as a zombie.
   */
  private killFromTheInitUp(init: ProcessEntry): void {
    signalProcess(init, 'SIGKILL');
    this.killOutermostAfter(REAP_GRACE_MS);
  }

  private killOutermostAfter(graceMs: number): void {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), graceMs).unref();
    this.child.once('exit', () => clearTimeout(timer));
  }

  private findCommand(): ProcessEntry | null {
    if (!this.command && this.init) {
      this.command = glanceBelow(this.init.pid).find(({ pid }) => innerPid(pid) === COMMAND) ?? null;
    }
    return this.command;
  }

  /**
   * The way to the proxy is no stray. It is known by its number, which nothing else can have had before the command
   * received anything, and by when it began, because a number comes up again after many thousands of processes.
   */
  private bridgePids(command: ProcessEntry): number[] {
    if (!this.hasBridge || !this.init) return [];
    const bridge = descendantsOf(this.init.pid).find(({ pid }) => innerPid(pid) === BRIDGE_PID);
    return bridge && Number(bridge.startTime) - Number(command.startTime) <= BRIDGE_STARTS_WITHIN_TICKS
      ? [bridge.pid]
      : [];
  }

  private async conclude(code: number | null, signal: NodeJS.Signals | null): Promise<SandboxExit> {
    await this.readStatusFor(STATUS_READ_MS);
    await this.untilNamespaceIsGone();
    // All who could have written to it are gone, so it ends: with what a busy machine had not let us read before.
    await this.readStatusFor(STATUS_END_MS);
    if (code === LOCK_BUSY_EXIT && this.status.initPid === null) return { code: null, signal: null, lockBusy: true };
    const reason = this.endedBy ? { [this.endedBy]: true } : {};
    // An init that was killed shows as a command that was.
    const ours = this.killed && (this.status.exitCode ?? KILLED_CODE) === KILLED_CODE;
    if (this.status.exitCode !== null && !ours) {
      // A program that can start no thread aborts, and says nothing of why.
      const wasAtLimit = performance.now() - this.atProcessLimitMs <= STARVED_WITHIN_MS;
      const starved = wasAtLimit && this.status.exitCode > SIGNALLED ? { tooManyProcesses: true } : {};
      return { code: this.status.exitCode, signal: null, ...starved, ...reason };
    }
    if (signal !== null || ours) return { code: null, signal: signal ?? 'SIGKILL', ...reason };
    const said = this.stderrTail.lastLine() || `The sandbox ended with code ${code} before the command ran.`;
    return { code, signal: null, startFailure: failureSentence(said) };
  }

  /** Until the status ends, or for that long, and then with all that is there already. */
  private async readStatusFor(ms: number): Promise<void> {
    if (this.statusStream.readableEnded) return;
    const ended = new AbortController();
    const end = once(this.statusStream, 'end', { signal: ended.signal }).catch(() => undefined);
    await Promise.race([end, delay(ms, undefined, { signal: ended.signal }).catch(() => undefined)]);
    ended.abort();
    // After a pause of this process the time is up before what was written is read: it is read before the immediate
    // runs.
    await nextImmediate();
  }

  /** The kernel lets a namespace's init go only after every other process in it is dead and reaped. */
  private async untilNamespaceIsGone(): Promise<void> {
    if (!this.init) return;
    for (let waitMs = 1; isSame(this.init); waitMs = Math.min(waitMs * 2, 50)) {
      signalProcess(this.init, 'SIGKILL');
      await delay(waitMs);
    }
  }
}

/**
 * By the namespace's own /proc, which names nothing else, so that a look costs no reading of the whole host's. Nothing
 * inside can mount another one over it. False also when it cannot be read.
 */
function holdsOnlyTheCommand(init: ProcessEntry): boolean {
  try {
    const pids = readdirSync(`/proc/${init.pid}/root/proc`).filter((name) => /^\d+$/.test(name));
    return pids.length === 2 && pids.every((pid) => Number(pid) <= COMMAND) && isSame(init);
  } catch {
    return false;
  }
}

function isSame(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return isRunning(now) && now.startTime === entry.startTime;
}
