export interface LeaseTimes {
  /** How often the lease is renewed. */
  beatMs: number;
  /** How long a failed renewal waits for the next. */
  retryMs: number;
  /**
   * Without a renewal for this long the lease is given up; well below its TTL, so that no other worker holds it yet.
   */
  giveUpMs: number;
  /** A main loop that has not turned for this long is not vouched for. */
  stalledMs: number;
}

export interface LeasePorts {
  /** False when the lease is gone. */
  renew(): Promise<boolean>;
  /** A clock that no setting of the time moves. */
  nowMs(): number;
  /** When, by the same clock, the main loop last turned. */
  lastTickMs(): number;
  /** Called once. Whatever the lease stood for must be ended here, without asking the main loop. */
  lose(reason: string): void;
}

/** Decides when to renew a worker's lease and when it counts as lost. Holds no timer: `look` is called often. */
export class LeaseKeeper {
  private lost = false;
  private renewing = false;
  private nextRenewalAt: number;

  /** `securedAt`: when the request that last secured the lease was sent. */
  constructor(
    private readonly ports: LeasePorts,
    private readonly times: LeaseTimes,
    private securedAt: number,
  ) {
    this.nextRenewalAt = securedAt + times.beatMs;
  }

  look(): void {
    if (this.lost) return;
    const now = this.ports.nowMs();
    if (now - this.securedAt >= this.times.giveUpMs)
      return this.lose(`The lease could not be renewed for ${Math.round(now - this.securedAt)} ms.`);
    const stalled = now - this.ports.lastTickMs() > this.times.stalledMs;
    if (!this.renewing && !stalled && now >= this.nextRenewalAt) void this.renew(now);
  }

  private async renew(sentAt: number): Promise<void> {
    this.renewing = true;
    try {
      if (!(await this.ports.renew())) return this.lose('The lease ended: this worker counts as dead.');
      // Counted from before it was sent: the server may have taken it at any moment since.
      this.securedAt = sentAt;
      this.nextRenewalAt = sentAt + this.times.beatMs;
    } catch {
      this.nextRenewalAt = this.ports.nowMs() + this.times.retryMs;
    } finally {
      this.renewing = false;
    }
  }

  private lose(reason: string): void {
    if (this.lost) return;
    this.lost = true;
    this.ports.lose(reason);
  }
}
