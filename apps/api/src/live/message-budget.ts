/** How many messages a client may send: a burst, refilled at a steady rate. */
export class MessageBudget {
  private left: number;
  private filledAtMs: number;

  constructor(
    private readonly burst = 60,
    private readonly perSecond = 20,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.left = burst;
    this.filledAtMs = now();
  }

  /** Takes one message from the budget; false when there is none left. */
  take(): boolean {
    const now = this.now();
    this.left = Math.min(this.burst, this.left + ((now - this.filledAtMs) / 1_000) * this.perSecond);
    this.filledAtMs = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
