import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { serverIdentity } from '../guarded-process';
import { waitFor } from '../wait-for';

/** One process of the product under test: its log lines, its signals, its end. */
export class ManagedProcess {
  readonly lines: Record<string, unknown>[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private readonly child: ChildProcess;
  private stderr = '';
  private ended = false;

  constructor(
    readonly name: string,
    entry: string,
    env: Record<string, string>,
    /** A command that ends by becoming the one that follows it, to change what the process finds around it. */
    under: readonly string[] = [],
  ) {
    const [program = '', ...args] = [...under, process.execPath, '--enable-source-maps', entry];
    this.child = spawn(program, args, {
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(serverIdentity() ?? {}),
    });
    let open = '';
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (open + chunk).split('\n');
      open = parts.pop() ?? '';
      for (const part of parts) this.keep(part);
    });
    this.child.stderr
      ?.setEncoding('utf8')
      .on('data', (chunk: string) => (this.stderr = (this.stderr + chunk).slice(-8_000)));
    this.exited = once(this.child, 'exit').then(
      ([code, signal]) => {
        this.ended = true;
        return { code: code as number | null, signal: signal as NodeJS.Signals | null };
      },
      (error: Error) => {
        this.ended = true;
        this.stderr += error.message;
        return { code: null, signal: null };
      },
    );
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.ended) this.child.kill(signal);
  }

  /** Ends the process politely, and by force when that takes longer than `graceMs`. */
  async stop(graceMs = 15_000): Promise<void> {
    if (this.ended) return;
    this.kill('SIGCONT');
    this.kill('SIGTERM');
    const timer = setTimeout(() => this.kill('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Waits for a log line with this message; throws with what was said instead when the process ends first. */
  async said(message: string, timeoutMs = 30_000): Promise<void> {
    await waitFor(
      () => {
        if (this.lines.some((line) => line['msg'] === message)) return true;
        if (this.ended) throw new Error(`${this.name} ended before it said "${message}":\n${this.describe()}`);
        return false;
      },
      { what: `${this.name} says "${message}"`, timeoutMs },
    );
  }

  describe(): string {
    return [...this.lines.slice(-30).map((line) => JSON.stringify(line)), this.stderr].join('\n');
  }

  private keep(text: string): void {
    try {
      this.lines.push(JSON.parse(text) as Record<string, unknown>);
    } catch {
      this.lines.push({ text });
    }
    if (this.lines.length > 5_000) this.lines.shift();
  }
}
