import { LeaseKeeper, type LeaseTimes } from './lease-keeper';

const times: LeaseTimes = { beatMs: 5_000, retryMs: 1_000, giveUpMs: 20_000, stalledMs: 5_000 };

class Bench {
  now = 100_000;
  tick = this.now;
  sent: number[] = [];
  lost: string[] = [];
  /** How the next renewals end; the last one stays. */
  answers: Array<() => Promise<boolean>> = [async () => true];
  readonly keeper = new LeaseKeeper(
    {
      renew: () => {
        this.sent.push(this.now - 100_000);
        return (this.answers.length > 1 ? this.answers.shift() : this.answers[0])?.() ?? Promise.resolve(true);
      },
      nowMs: () => this.now,
      lastTickMs: () => this.tick,
      lose: (reason) => this.lost.push(reason),
    },
    times,
    this.now,
  );

  /** Lets time pass in steps of a quarter second; the main loop turns unless it is said to stand still. */
  async pass(ms: number, mainLoop: 'turns' | 'stands still' = 'turns'): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now += 250;
      if (mainLoop === 'turns') this.tick = this.now;
      this.keeper.look();
      for (let index = 0; index < 5; index += 1) await Promise.resolve();
    }
  }
}

const fails = async (): Promise<boolean> => Promise.reject(new Error('the database is away'));
const hangs = (): Promise<boolean> => new Promise(() => undefined);

describe('keeping the lease', () => {
  it('renews at every beat', async () => {
    const bench = new Bench();
    await bench.pass(16_000);
    expect(bench.sent).toEqual([5_000, 10_000, 15_000]);
    expect(bench.lost).toEqual([]);
  });

  it('tries again soon after a failure and continues as if nothing had been', async () => {
    const bench = new Bench();
    bench.answers = [fails, fails, async () => true];
    await bench.pass(13_000);
    expect(bench.sent).toEqual([5_000, 6_000, 7_000, 12_000]);
    await bench.pass(60_000);
    expect(bench.lost).toEqual([]);
  });

  it('gives up when nothing was renewed for twenty seconds, once', async () => {
    const bench = new Bench();
    bench.answers = [fails];
    await bench.pass(19_750);
    expect(bench.lost).toEqual([]);
    await bench.pass(250);
    expect(bench.lost).toEqual(['The lease could not be renewed for 20000 ms.']);
    const sent = bench.sent.length;
    await bench.pass(30_000);
    expect([bench.lost.length, bench.sent.length]).toEqual([1, sent]);
  });

  it('counts from before the renewal was sent, and sends no second one beside it', async () => {
    const bench = new Bench();
    let answer: (renewed: boolean) => void = () => undefined;
    bench.answers = [() => new Promise((resolve) => (answer = resolve)), hangs];
    await bench.pass(9_000);
    expect(bench.sent).toEqual([5_000]);
    answer(true);
    await bench.pass(15_750);
    expect(bench.sent).toEqual([5_000, 10_000]);
    expect(bench.lost).toEqual([]);
    await bench.pass(250);
    expect(bench.lost).toEqual(['The lease could not be renewed for 20000 ms.']);
  });

  it('does not vouch for a main loop that stands still', async () => {
    const bench = new Bench();
    await bench.pass(6_000);
    await bench.pass(4_000, 'stands still');
    expect(bench.sent).toEqual([5_000, 10_000]);
    await bench.pass(19_750, 'stands still');
    expect([bench.sent.length, bench.lost.length]).toEqual([2, 0]);
    await bench.pass(250, 'stands still');
    expect(bench.lost).toHaveLength(1);
  });

  it('continues when the main loop turns again in time', async () => {
    const bench = new Bench();
    await bench.pass(15_000, 'stands still');
    await bench.pass(30_000);
    expect(bench.lost).toEqual([]);
    expect(bench.sent.at(-1)).toBeGreaterThan(40_000);
  });

  it('gives up at once when the lease is gone', async () => {
    const bench = new Bench();
    bench.answers = [async () => false];
    await bench.pass(5_000);
    expect(bench.lost).toEqual(['The lease ended: this worker counts as dead.']);
  });

  it('gives up first thing after the whole worker was stopped for too long', async () => {
    const bench = new Bench();
    await bench.pass(6_000);
    bench.now += 25_000;
    bench.keeper.look();
    expect(bench.lost).toHaveLength(1);
    expect(bench.sent).toEqual([5_000]);
  });
});
