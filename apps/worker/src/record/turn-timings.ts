import type { Timings } from '@chirality/contracts';

type Mark = 'claimed' | 'prepared' | 'spawned' | 'firstByte' | 'init' | 'firstText' | 'ended';

/** Collects where a turn's time went. Marks are set once, by the first attempt that reaches them. */
export class TurnTimings {
  private readonly marks = new Map<Mark, number>();
  private readonly tools: Timings['tools'] = [];
  private persistMs = 0;
  /** How the process that served last was had. */
  origin: 'cold' | 'ahead' | 'parked' = 'cold';

  constructor(
    queuedAt: Date,
    claimedAt: Date,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.queueMs = Math.max(0, claimedAt.getTime() - queuedAt.getTime());
    this.mark('claimed');
  }

  private readonly queueMs: number;

  mark(mark: Mark): void {
    if (!this.marks.has(mark)) this.marks.set(mark, this.now());
  }

  tool(toolUseId: string, ms: number): void {
    this.tools.push({ toolUseId, ms: Math.round(ms) });
  }

  persisted(ms: number): void {
    this.persistMs += ms;
  }

  /** Milliseconds since the program was given its message. */
  ranMs(): number {
    return Math.round(this.now() - (this.marks.get('spawned') ?? this.now()));
  }

  snapshot(): Timings {
    const end = this.marks.get('ended') ?? this.now();
    return {
      queueMs: this.queueMs,
      sandboxMs: this.between('claimed', 'prepared'),
      spawnMs: this.between('spawned', 'firstByte'),
      initMs: this.between('spawned', 'init'),
      firstTokenMs: this.between('spawned', 'firstText'),
      tools: this.tools,
      persistMs: Math.round(this.persistMs),
      totalMs: Math.round(this.queueMs + end - (this.marks.get('claimed') ?? end)),
    };
  }

  private between(from: Mark, to: Mark): number | null {
    const start = this.marks.get(from);
    const end = this.marks.get(to);
    return start === undefined || end === undefined ? null : Math.max(0, Math.round(end - start));
  }
}
