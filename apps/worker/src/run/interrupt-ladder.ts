/** Milliseconds after the request at which each rung is climbed, as long as the process is still there. */
const LADDER_MS = { interrupt: 2_000, terminate: 5_000, kill: 10_000 } as const;

export type LadderRung = 'ask' | 'interrupt' | 'terminate' | 'kill';

/** What the rungs do: `ask` the program over its control channel, the rest as signals. */
type LadderSteps = Record<LadderRung, () => void>;

/**
 * One ladder for every end that we want: control request at once, SIGINT and SIGTERM to claude itself, SIGKILL of the
 * whole tree. Idempotent; `skipTo` starts higher up when asking has no sense (nothing was said yet).
 */
export class InterruptLadder {
  private timers: NodeJS.Timeout[] = [];
  private climbing = false;
  private done = false;

  constructor(
    private readonly steps: LadderSteps,
    private readonly onRung: (rung: LadderRung) => void = () => undefined,
    private readonly delaysMs: { interrupt: number; terminate: number; kill: number } = LADDER_MS,
  ) {}

  start(first: LadderRung = 'ask'): void {
    if (this.climbing || this.done) return;
    this.climbing = true;
    const rungs: LadderRung[] = ['ask', 'interrupt', 'terminate', 'kill'];
    const waits = { ask: 0, ...this.delaysMs };
    const offset = waits[first];
    for (const rung of rungs.slice(rungs.indexOf(first))) this.at(waits[rung] - offset, rung);
  }

  /** The process is gone. */
  stop(): void {
    this.done = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  private at(delayMs: number, rung: LadderRung): void {
    if (delayMs <= 0) return this.climb(rung);
    this.timers.push(setTimeout(() => this.climb(rung), delayMs));
  }

  private climb(rung: LadderRung): void {
    if (this.done) return;
    this.onRung(rung);
    this.steps[rung]();
  }
}
