import type { ClaimedTurn } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { RunningTurn } from '../turn/running-turn';
import { TurnScheduler } from './turn-scheduler';

const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;

class StandInTurn implements RunningTurn {
  readonly sessionId = 'sess_1';
  readonly permissions = null;
  isAtRest = false;
  interrupts = 0;
  end: () => void = () => undefined;
  breakOff: (error: Error) => void = () => undefined;
  private readonly over = new Promise<void>((resolve, reject) => {
    this.end = resolve;
    this.breakOff = reject;
  });

  constructor(
    readonly turnId: string,
    private readonly onRestChanged: () => void,
  ) {}
  rest = () => {
    this.isAtRest = true;
    this.onRestChanged();
  };
  run = () => this.over;
  requestInterrupt = () => void (this.interrupts += 1);
  forbid = () => undefined;
  shutDown = () => undefined;
  abandon = () => undefined;
}

function setUp(
  slots: number,
  queue: string[],
  failBroken: (turnId: string) => Promise<void> = () => Promise.resolve(),
) {
  const turns: StandInTurn[] = [];
  let claims = 0;
  let answer: () => void = () => undefined;
  const next = () =>
    new Promise<ClaimedTurn | null>((resolve) => {
      claims += 1;
      answer = () => {
        const id = queue.shift();
        resolve(id === undefined ? null : ({ id, othersQueued: queue.length > 0 } as ClaimedTurn));
      };
    });
  const scheduler = new TurnScheduler(
    slots,
    { next, failBroken, handOver: () => undefined },
    {
      begin: ({ id }, onRestChanged) => {
        const turn = new StandInTurn(id, onRestChanged);
        turns.push(turn);
        return turn;
      },
    },
    log,
  );
  const answered = async () => {
    answer();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { scheduler, turns, answered, claims: () => claims };
}

describe('the scheduler of turns', () => {
  it('interrupts a turn whose interrupt came before its claim was answered, once', async () => {
    const { scheduler, turns, answered } = setUp(2, ['turn_a', 'turn_b']);
    void scheduler.wake();
    scheduler.interrupt('turn_a');
    await answered();
    await answered();
    expect(turns.map(({ turnId, interrupts }) => ({ turnId, interrupts }))).toEqual([
      { turnId: 'turn_a', interrupts: 1 },
      { turnId: 'turn_b', interrupts: 0 },
    ]);
  });

  it('takes no more turns than there are slots; one at rest needs none', async () => {
    const { scheduler, turns, answered } = setUp(1, ['turn_a', 'turn_b', 'turn_c']);
    void scheduler.wake();
    await answered();
    await answered();
    expect(turns).toHaveLength(1);
    (turns[0] as StandInTurn).isAtRest = true;
    void scheduler.wake();
    await answered();
    expect(turns).toHaveLength(2);
    expect(scheduler.hasFreeSlot()).toBe(false);
  });

  it('asks the database once for a turn that was alone in the queue, and looks again when a slot is free after others waited', async () => {
    const alone = setUp(2, ['turn_a']);
    void alone.scheduler.wake();
    await alone.answered();
    alone.turns[0]?.rest();
    alone.turns[0]?.end();
    await alone.answered();
    expect(alone.claims()).toBe(1);

    const crowded = setUp(1, ['turn_a', 'turn_b']);
    void crowded.scheduler.wake();
    await crowded.answered();
    crowded.turns[0]?.rest();
    await crowded.answered();
    expect({ turns: crowded.turns.length, claims: crowded.claims() }).toEqual({ turns: 2, claims: 2 });
  });

  it('drains: takes nothing new, and is done when the last turn is', async () => {
    const { scheduler, turns, answered } = setUp(1, ['turn_a', 'turn_b']);
    void scheduler.wake();
    await answered();
    let drained = false;
    const drain = scheduler.drain().then(() => (drained = true));
    turns[0]?.end();
    await drain;
    expect({ drained, turns: turns.length }).toEqual({ drained: true, turns: 1 });
  });

  it.each([
    ['and is given its end', () => Promise.resolve()],
    ['even when its end cannot be stored', () => Promise.reject(new Error('no database'))],
  ])('continues when running a turn breaks off, %s', async (_how, end) => {
    const ended: string[] = [];
    const { scheduler, turns, answered } = setUp(1, ['turn_a', 'turn_b'], (turnId) => {
      ended.push(turnId);
      return end();
    });
    void scheduler.wake();
    await answered();
    turns[0]?.breakOff(new Error('a bug'));
    await new Promise((resolve) => setImmediate(resolve));
    await answered();
    expect(ended).toEqual(['turn_a']);
    expect(scheduler.turns().map(({ turnId }) => turnId)).toEqual(['turn_b']);
  });
});
