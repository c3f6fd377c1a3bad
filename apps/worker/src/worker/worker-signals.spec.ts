import type { Messaging } from '@chirality/messaging';
import type { Logger } from '@chirality/platform';
import type { TurnScheduler } from '../run/turn-scheduler';
import { WorkerSignals } from './worker-signals';

describe('turns of people who may no longer send any', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function setUp({ connected = true, running = 1 } = {}) {
    const forbidden: string[] = [];
    let told: () => void = () => undefined;
    const listForbidden = jest.fn(async () => ['turn_1', 'turn_gone']);
    const turns = { readSignals: async () => ({ interrupts: [], answered: [] }), findUnattendedTurns: async () => [] };
    const messaging = {
      signals: { subscribe: () => () => undefined, onReconnected: () => undefined, isConnected: connected },
      access: { subscribe: (handler: () => void) => ((told = handler), () => (told = () => undefined)) },
    } as unknown as Messaging;
    const find = (turnId: string) => (turnId === 'turn_1' ? { forbid: () => void forbidden.push(turnId) } : undefined);
    const scheduler = { runningCount: running, find, wake: async () => undefined } as unknown as TurnScheduler;
    const signals = new WorkerSignals('worker_1', turns, { list: listForbidden }, messaging, scheduler, {
      debug: () => undefined,
    } as unknown as Logger);
    signals.start();
    return { signals, forbidden, listForbidden, hint: () => told() };
  }

  it('are ended at the hint that rights have changed', async () => {
    const { forbidden, hint, signals } = setUp();
    hint();
    await jest.advanceTimersByTimeAsync(0);
    expect(forbidden).toEqual(['turn_1']);
    signals.stop();
    hint();
    await jest.advanceTimersByTimeAsync(0);
    expect(forbidden).toEqual(['turn_1']);
  });

  it('are found without it: within a second while none can come, within five otherwise', async () => {
    const [blind, sighted] = [setUp({ connected: false }), setUp()];
    await jest.advanceTimersByTimeAsync(1_000);
    expect([blind.forbidden, sighted.forbidden]).toEqual([['turn_1'], []]);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(sighted.forbidden).toEqual(['turn_1']);
    for (const { signals } of [blind, sighted]) signals.stop();
  });

  it('are not looked for where none runs, nor lost because the database was away', async () => {
    const idle = setUp({ running: 0 });
    idle.hint();
    const { forbidden, listForbidden, hint, signals } = setUp();
    listForbidden.mockRejectedValueOnce(new Error('away'));
    hint();
    await jest.advanceTimersByTimeAsync(0);
    expect([idle.listForbidden.mock.calls.length, forbidden]).toEqual([0, []]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(forbidden).toEqual(['turn_1']);
    for (const one of [idle.signals, signals]) one.stop();
  });
});
