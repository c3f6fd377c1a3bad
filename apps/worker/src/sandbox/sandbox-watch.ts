import type { WorkerRepository } from '@chirality/database';
import { withoutHostPaths } from '@chirality/domain';
import { every, joined, metrics, type Logger } from '@chirality/platform';
import type { Sandbox } from './sandbox';

/** A sandbox that was proven stays so unless the machine changes; one that was not may be fixed at any time. */
const PROBE_EVERY_MS = 15_000;

type SandboxState = { sandbox: 'bubblewrap' | 'none' | 'unavailable'; detail: string | null };

/** Proves the sandbox at start and again and again: while it is not proven, no turn is taken. */
export class SandboxWatch {
  private current: SandboxState = { sandbox: 'unavailable', detail: 'The sandbox was not proven yet.' };
  private tell: { workers: WorkerRepository; workerId: string; onProven: () => void; told: SandboxState } | null = null;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly log: Logger,
  ) {}

  get isProven(): boolean {
    return this.current.sandbox !== 'unavailable';
  }

  async probe(): Promise<SandboxState> {
    const result = await this.sandbox.probe();
    const next: SandboxState = result.ok
      ? { sandbox: result.kind, detail: null }
      : { sandbox: 'unavailable', detail: withoutHostPaths(result.detail) };
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

  /** From now on the worker's row says what is true, and `onProven` is called when turns may be taken again. */
  watch(workers: WorkerRepository, workerId: string, onProven: () => void): void {
    this.tell = { workers, workerId, onProven, told: this.current };
    this.stop = every(PROBE_EVERY_MS, this.look);
  }

  /** Proves the sandbox now, because there is reason to doubt it. Calls that overlap are joined; never rejects. */
  readonly look = joined(() =>
    this.lookOnce().catch((error: Error) => this.log.warn({ err: error }, 'sandbox.not_reported')),
  );

  stop: () => void = () => undefined;

  private async lookOnce(): Promise<void> {
    const now = await this.probe();
    if (this.tell === null) return;
    const { workers, workerId, onProven, told } = this.tell;
    if (now.sandbox === told.sandbox && now.detail === told.detail) return;
    await workers.reportSandbox(workerId, now.sandbox, now.detail);
    this.tell.told = now;
    if (told.sandbox === 'unavailable' && this.isProven) onProven();
  }
}
