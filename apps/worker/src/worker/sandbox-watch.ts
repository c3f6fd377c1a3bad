import type { WorkerRepository } from '@chirality/database';
import { metrics, type Logger } from '@chirality/platform';
import type { Sandbox } from '../sandbox';

/** A sandbox that was proven stays so unless the machine changes; one that was not may be mended at any time. */
const PROBE_EVERY_MS = 15_000;

export type SandboxState = { sandbox: 'bubblewrap' | 'none' | 'unavailable'; detail: string | null };

/** Proves the sandbox at start and again and again: while it is not proven, no turn is taken. */
export class SandboxWatch {
  private current: SandboxState = { sandbox: 'unavailable', detail: 'The sandbox was not proven yet.' };
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly log: Logger,
  ) {}

  get state(): SandboxState {
    return this.current;
  }

  get isProven(): boolean {
    return this.current.sandbox !== 'unavailable';
  }

  async probe(): Promise<SandboxState> {
    const result = await this.sandbox.probe();
    const next: SandboxState = result.ok ? { sandbox: result.kind, detail: null } : { sandbox: 'unavailable', detail: result.detail };
    if (next.sandbox !== this.current.sandbox || next.detail !== this.current.detail) {
      if (result.ok) this.log.info({ sandbox: result.kind }, 'sandbox.proven');
      else {
        metrics.sandboxFailures.inc();
        this.log.error({ detail: result.detail }, 'sandbox.unavailable');
      }
    }
    this.current = next;
    return next;
  }

  /** Tells the worker's row what is true now, and `onProven` when turns may be taken again. */
  watch(workers: WorkerRepository, workerId: string, onProven: () => void): void {
    this.timer = setInterval(() => {
      void (async () => {
        const before = this.isProven;
        const { sandbox, detail } = await this.probe();
        if (before !== this.isProven) await workers.reportSandbox(workerId, sandbox, detail);
        if (!before && this.isProven) onProven();
      })().catch((error: Error) => this.log.warn({ err: error }, 'sandbox.not_reported'));
    }, PROBE_EVERY_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }
}
