import type { AheadAsk } from '@chirality/contracts';
import type { ForbiddenReason } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { MEMORY_RESERVE_BYTES } from './available-memory';
import { WaitingProcesses } from './waiting-processes';

function setUp() {
  const state = {
    available: MEMORY_RESERVE_BYTES,
    forbidden: [] as { sessionId: string; reason: ForbiddenReason }[],
    fails: false,
  };
  const evicted: [string, string | undefined][] = [];
  const asked: AheadAsk[] = [];
  let relieved = 0;
  let hearAsk: (ask: AheadAsk) => void = () => undefined;
  let hearChange: () => void = () => undefined;
  const subscription = (): (() => void) & { ready: Promise<boolean> } =>
    Object.assign(() => undefined, { ready: Promise.resolve(true) });
  const waiting = new WaitingProcesses({
    workerId: 'worker_1',
    pool: {
      relieve: async () => (relieved += 1) > 0,
      evict: async (sessionId, reason) => void evicted.push([sessionId, reason]),
      has: (sessionId) => sessionId !== 'sess_gone',
    },
    ahead: { start: async (ask) => (asked.push(ask), 'started'), stop: async () => undefined },
    parked: {
      listForbidden: async () => (state.fails ? Promise.reject(new Error('away')) : state.forbidden),
      removeLeftovers: async () => undefined,
    },
    messaging: {
      ahead: {
        subscribe: (_workerId: string, handler: (ask: AheadAsk) => void) => ((hearAsk = handler), subscription()),
      },
      access: { subscribe: (handler: () => void) => ((hearChange = handler), subscription()) },
    } as never,
    availableBytes: () => state.available,
    log: { warn: () => undefined } as unknown as Logger,
  });
  return {
    waiting,
    state,
    evicted,
    asked,
    relieved: () => relieved,
    hearAsk: (ask: AheadAsk) => hearAsk(ask),
    hearChange: () => hearChange(),
  };
}

describe('looking after processes that wait', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('ends those whose person may no longer send a turn, at a hint and every half minute', async () => {
    const { waiting, state, evicted, hearChange } = setUp();
    waiting.start();
    state.forbidden = [
      { sessionId: 'sess_1', reason: 'member_removed' },
      { sessionId: 'sess_gone', reason: 'archived' },
    ];
    hearChange();
    await waiting.checkRights();
    expect(evicted).toContainEqual(['sess_1', 'member_removed']);
    expect(evicted.map(([sessionId]) => sessionId)).not.toContain('sess_gone');
    evicted.length = 0;
    state.forbidden = [{ sessionId: 'sess_2', reason: 'archived' }];
    await jest.advanceTimersByTimeAsync(30_000);
    expect(evicted).toEqual([['sess_2', 'archived']]);
    await waiting.stop();
  });

  it('looks again after the database was away', async () => {
    const { waiting, state, evicted } = setUp();
    state.fails = true;
    await waiting.checkRights();
    state.fails = false;
    state.forbidden = [{ sessionId: 'sess_1', reason: 'archived' }];
    await waiting.checkRights();
    expect(evicted).toEqual([['sess_1', 'archived']]);
  });

  it('lets them go while memory is short, and only then', async () => {
    const { waiting, state, relieved } = setUp();
    waiting.start();
    await jest.advanceTimersByTimeAsync(4_000);
    expect(relieved()).toBe(0);
    state.available = MEMORY_RESERVE_BYTES - 1;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(relieved()).toBe(2);
    await waiting.stop();
  });

  it('starts one when asked to', async () => {
    const { waiting, asked, hearAsk } = setUp();
    waiting.start();
    hearAsk({ sessionId: 'sess_1', userId: 'user_1', options: {}, persona: null });
    expect(asked).toEqual([{ sessionId: 'sess_1', userId: 'user_1', options: {}, persona: null }]);
    await waiting.stop();
  });
});
