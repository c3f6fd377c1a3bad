import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LOCK_BUSY_EXIT } from '../host/lock-argv';
import { descendantsOf, isRunning, signalProcess, type ProcessEntry } from '../process/process-table';
import type { SandboxExit, SandboxedProcess } from '../sandbox.types';
import { killStraysBelow } from '../process/stray-killer';

/** A plain child. What detached itself from the tree before its parent ended is out of reach. */
export class UnconfinedProcess implements SandboxedProcess {
  readonly pid: number;
  readonly startedAt = Date.now();
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<SandboxExit>;
  onProcessLimit: ((limit: number) => void) | null = null;

  constructor(private readonly child: ChildProcessWithoutNullStreams & { pid: number }) {
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.stdin.on('error', () => undefined);
    child.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.killGroup();
        resolve(code === LOCK_BUSY_EXIT ? { code: null, signal: null, lockBusy: true } : { code, signal });
      });
    });
  }

  signalProgram(signal: NodeJS.Signals): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.kill(signal);
  }

  killTree(): void {
    const members = this.members();
    // First the one that could notice that the others are gone, and end in its own way.
    this.signalProgram('SIGKILL');
    for (const entry of members) signalProcess(entry, 'SIGKILL');
  }

  killStrays(): Promise<boolean> {
    return killStraysBelow(this.pid, [this.pid]);
  }

  private members(): ProcessEntry[] {
    return descendantsOf(this.pid).filter(isRunning);
  }

  private killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // The group is empty: there is nothing to end.
    }
  }
}
