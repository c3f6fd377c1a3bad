import type { Readiness } from '@chirality/contracts';

export type HealthReport = { status: 'ok' | 'degraded' | 'unavailable'; detail?: string };

export type HealthCheck = {
  name: string;
  /** Without it the process can do nothing useful: the whole is unavailable with it, else only degraded. */
  critical: boolean;
  check: () => Promise<HealthReport> | HealthReport;
  timeoutMs?: number;
};

const DEFAULT_TIMEOUT_MS = 2000;
const FRESH_MS = 500;

/**
 * The parts of a process that can break, and what is broken now. A check that throws or takes too long counts as
 * unavailable; its detail is the error's message, so a check throws only what may be shown to an operator.
 * Calls within half a second share one round of checks.
 */
export class HealthRegistry {
  private readonly checks: HealthCheck[] = [];
  private round: { startedAt: number; result: Promise<Readiness> } | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  register(check: HealthCheck): void {
    if (this.checks.some(({ name }) => name === check.name))
      throw new Error(`health check ${check.name} is registered twice`);
    this.checks.push(check);
  }

  readiness(): Promise<Readiness> {
    const startedAt = this.now();
    if (this.round === null || startedAt - this.round.startedAt >= FRESH_MS) {
      this.round = { startedAt, result: this.runAll() };
    }
    return this.round.result;
  }

  private async runAll(): Promise<Readiness> {
    const reports = await Promise.all(this.checks.map(async (check) => [check, await runCheck(check)] as const));
    const broken = reports.filter(([, report]) => report.status !== 'ok');
    const unavailable = broken.some(([check, report]) => check.critical && report.status === 'unavailable');
    return {
      status: unavailable ? 'unavailable' : broken.length > 0 ? 'degraded' : 'ok',
      checks: Object.fromEntries(reports.map(([check, report]) => [check.name, report])),
    };
  }
}

async function runCheck({ check, timeoutMs = DEFAULT_TIMEOUT_MS }: HealthCheck): Promise<HealthReport> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthReport>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'unavailable', detail: `no answer within ${timeoutMs} ms` }), timeoutMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch (error) {
    return { status: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
