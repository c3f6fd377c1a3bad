import type { Clock } from '../src/lib/state/clock';

/** A clock for tests: time moves only by `advance`, and whatever is due then happens in order. */
export class FakeClock implements Clock {
  private time = 0;
  private plans: { at: number; act: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, act: () => void): () => void {
    const plan = { at: this.time + ms, act };
    this.plans.push(plan);
    return () => {
      this.plans = this.plans.filter((other) => other !== plan);
    };
  }

  /** The machine sleeps: time passes and nothing is done when it is due. */
  sleep(ms: number): void {
    this.time += ms;
  }

  /** Lets promises that are already resolved run before, between and after what is due. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (;;) {
      const next = this.plans.filter((plan) => plan.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.plans = this.plans.filter((plan) => plan !== next);
      this.time = next.at;
      next.act();
      await settle();
    }
    this.time = end;
    await settle();
  }
}

export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await Promise.resolve();
}
