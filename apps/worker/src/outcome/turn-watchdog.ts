export type WatchdogLimits = { startMs: number; silenceMs: number; wallMs: number; waitMs: number };
export type WatchdogVerdict = 'start' | 'silence' | 'wall' | 'wait';
export type WatchdogPhase = 'starting' | 'running' | 'waiting' | 'ended';

export const WATCHDOG_LIMITS: WatchdogLimits = {
  startMs: 20_000,
  silenceMs: 10 * 60_000,
  wallMs: 30 * 60_000,
  waitMs: 8 * 3_600_000,
};

/** A longer step between two looks means that we ourselves were stopped or starved; it is not the program's time. */
const MAX_STEP_MS = 1_000;

/**
 * Counts a turn's time: until its program is up, in silence, in all, and waiting for a person. All but the last count
 * only while we read what the program writes, so a slow database is never its fault.
 */
export class TurnWatchdog {
  private phase: WatchdogPhase = 'starting';
  private reading = true;
  private readonly spent: Record<WatchdogVerdict, number> = { start: 0, silence: 0, wall: 0, wait: 0 };
  private lastLook: number;

  constructor(
    private readonly limits: WatchdogLimits,
    private readonly onVerdict: (verdict: WatchdogVerdict) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastLook = now();
  }

  enter(phase: WatchdogPhase): void {
    this.look();
    if (this.phase === 'ended') return;
    if (phase === 'waiting' && this.phase !== 'waiting') this.spent.wait = 0;
    this.phase = phase;
    this.spent.silence = 0;
  }

  heard(): void {
    this.spent.silence = 0;
  }

  setReading(reading: boolean): void {
    this.look();
    this.reading = reading;
  }

  /** To be called a few times a second. Says each verdict once: the first one ends the watch. */
  look(): void {
    const now = this.now();
    const stepMs = Math.min(now - this.lastLook, MAX_STEP_MS);
    this.lastLook = now;
    if (this.phase === 'starting' && this.reading) this.count('start', stepMs, this.limits.startMs);
    if (this.phase === 'waiting') this.count('wait', stepMs, this.limits.waitMs);
    if (this.phase === 'running' && this.reading) {
      this.count('silence', stepMs, this.limits.silenceMs);
      this.count('wall', stepMs, this.limits.wallMs);
    }
  }

  private count(what: WatchdogVerdict, stepMs: number, limitMs: number): void {
    this.spent[what] += stepMs;
    if (this.spent[what] < limitMs || this.phase === 'ended') return;
    this.phase = 'ended';
    this.onVerdict(what);
  }
}
