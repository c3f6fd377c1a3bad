import type { Logger } from '@chirality/platform';
import type { RetuneFailure, Tuning } from '../harness/harness';
import type { SandboxExit } from '../sandbox/sandbox.types';
import { waitingOrigin, type LiveProcess } from './live-process';
import { ProcessPool, type PoolLimits } from './process-pool';

const TUNING: Tuning = { model: 'sonnet', permissionMode: 'default' };
const EXIT: SandboxExit = { code: null, signal: 'SIGKILL' };

function fakeProcess(sessionId: string, change: Partial<LiveProcess> = {}) {
  let exit: (exit: SandboxExit) => void = () => undefined;
  const exited = new Promise<SandboxExit>((resolve) => (exit = resolve));
  const told: Partial<Tuning>[] = [];
  const state = {
    killed: false,
    leaseClosed: false,
    straysLeft: false,
    die: () => exit(EXIT),
    told,
    answer: async (): Promise<RetuneFailure | null> => null,
  };
  const live = {
    id: `proc-${sessionId}`,
    sessionId,
    spawnKey: 'key',
    tuning: TUNING,
    turnsServed: 1,
    nextFence: 7n,
    conversation: 'c1',
    lastTurnId: 'turn',
    lastOriginator: { system: true },
    lastAttempt: 1,
    lease: { close: async () => void (state.leaseClosed = true) },
    process: {
      channel: { isOpen: true },
      retune: (changes: Partial<Tuning>) => (told.push(changes), state.answer()),
      exited,
      sandboxed: {
        pid: 1,
        killTree: () => {
          state.killed = true;
          exit(EXIT);
        },
        killStrays: async () => !state.straysLeft,
      },
    },
    ...change,
  } as unknown as LiveProcess;
  return { live, state };
}

function setUp(limits: Partial<PoolLimits> = {}, residentBytes = 0) {
  const ends: string[] = [];
  const exits: string[] = [];
  const kept: string[] = [];
  const retuned: Partial<Tuning>[] = [];
  const pool = new ProcessPool(
    { parkedMs: 300_000, maxParked: 2, maxTurns: 50, maxResidentBytes: 100, ...limits },
    {
      kept: ({ sessionId }) => kept.push(sessionId),
      ended: (live, reason) => ends.push(waitingOrigin(live) === 'parked' ? reason : `ahead: ${reason}`),
      exited: (live) => exits.push(live.sessionId),
      retuned: (changes) => retuned.push(changes),
    },
    { info: () => undefined } as unknown as Logger,
    () => residentBytes,
  );
  return { pool, ends, exits, kept, retuned };
}

const FITS = { spawnKey: 'key', fence: 7n, conversation: 'c1', tuning: TUNING };

describe('parked processes', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('are handed out once, to the turn that they fit', async () => {
    const { pool } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    expect(await pool.take('a', FITS)).toBe(live);
    expect(await pool.take('a', FITS)).toBeNull();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(state.killed).toBe(false);
  });

  it('are switched only where model or mode differ, before they are handed out', async () => {
    const { pool, retuned } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    expect(await pool.take('a', FITS)).toBe(live);
    expect(state.told).toEqual([]);
    await pool.park(live);
    expect(await pool.take('a', { ...FITS, tuning: { ...TUNING, model: 'opus' } })).toBe(live);
    await pool.park(live);
    expect(await pool.take('a', { ...FITS, tuning: { model: 'opus', permissionMode: 'plan' } })).toBe(live);
    await pool.park(live);
    expect(await pool.take('a', FITS)).toBe(live);
    expect(state.told).toEqual([{ model: 'opus' }, { permissionMode: 'plan' }, TUNING]);
    expect(retuned).toEqual(state.told);
  });

  it.each(['retune_refused', 'retune_unanswered'] as const)(
    'are gone before another may be started when their switch is %s',
    async (failure) => {
      const { pool, ends, exits, retuned } = setUp();
      const { live, state } = fakeProcess('a');
      state.answer = async () => failure;
      await pool.park(live);
      expect(await pool.take('a', { ...FITS, tuning: { ...TUNING, model: 'opus' } })).toBeNull();
      expect({
        ends,
        exits,
        retuned,
        tuning: live.tuning,
        killed: state.killed,
        leaseClosed: state.leaseClosed,
      }).toEqual({ ends: [failure], exits: ['a'], retuned: [], tuning: TUNING, killed: true, leaseClosed: true });
    },
  );

  it('are not switched when they would not fit anyway', async () => {
    const { pool, ends } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    expect(await pool.take('a', { ...FITS, fence: 8n, tuning: { ...TUNING, model: 'opus' } })).toBeNull();
    expect({ ends, told: state.told }).toEqual({ ends: ['missed_a_turn'], told: [] });
  });

  it.each([
    ['is ended for a person', 'archived', (pool: ProcessPool) => void pool.evict('a', 'archived')],
    ['dies', 'died', (_pool: ProcessPool, state: { die(): void }) => state.die()],
  ])('are not handed out where one %s while it is switched', async (_what, reason, happen) => {
    const { pool, ends, exits } = setUp();
    const { live, state } = fakeProcess('a');
    let answer: () => void = () => undefined;
    state.answer = () => new Promise((resolve) => (answer = () => resolve(null)));
    await pool.park(live);
    const taking = pool.take('a', { ...FITS, tuning: { ...TUNING, model: 'opus' } });
    await new Promise(setImmediate);
    happen(pool, state);
    await new Promise(setImmediate);
    answer();
    expect(await taking).toBeNull();
    expect({ ends, exits }).toEqual({ ends: [reason], exits: ['a'] });
  });

  it.each([
    ['what shaped them changed', { ...FITS, spawnKey: 'other' }, 'key_changed'],
    ['a turn ran elsewhere in between', { ...FITS, fence: 8n }, 'missed_a_turn'],
    ['the session continues another conversation', { ...FITS, conversation: 'c2' }, 'missed_a_turn'],
  ])('are gone before another may be started when %s', async (_name, fits, reason) => {
    const { pool, ends, exits } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    expect(await pool.take('a', fits)).toBeNull();
    expect(state).toMatchObject({ killed: true, leaseClosed: true });
    expect({ ends, exits }).toEqual({ ends: [reason], exits: ['a'] });
  });

  it('end after a while', async () => {
    const { pool, ends } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    await jest.advanceTimersByTimeAsync(300_000);
    expect(state).toMatchObject({ killed: true, leaseClosed: true });
    expect(ends).toEqual(['expired']);
    expect(pool.size).toBe(0);
  });

  it('give way to later ones, the least recently used first', async () => {
    const { pool, ends, exits } = setUp();
    for (const id of ['a', 'b', 'c']) await pool.park(fakeProcess(id).live);
    await jest.advanceTimersByTimeAsync(0);
    expect({ ends, exits, size: pool.size }).toEqual({ ends: ['crowded_out'], exits: ['a'], size: 2 });
  });

  it.each([
    ['worn out', { turnsServed: 50 }, 0, false],
    ['too large', {}, 101, false],
    ['strays', {}, 0, true],
  ])('are not kept when they are unfit: %s', async (_name, change, residentBytes, strays) => {
    const { pool } = setUp({}, residentBytes);
    const { live, state } = fakeProcess('a', change);
    state.straysLeft = strays;
    await pool.park(live);
    expect(state.killed).toBe(true);
    expect(pool.size).toBe(0);
  });

  it('that die are forgotten, and their lease with them', async () => {
    const { pool, ends, exits } = setUp();
    const { live, state } = fakeProcess('a');
    await pool.park(live);
    state.die();
    await jest.advanceTimersByTimeAsync(0);
    expect({ ends, exits, closed: state.leaseClosed }).toEqual({ ends: ['died'], exits: ['a'], closed: true });
    expect(await pool.take('a', FITS)).toBeNull();
  });

  it('go one at a time, the least recently used first, while memory is short', async () => {
    const { pool, ends, exits } = setUp();
    for (const id of ['a', 'b']) await pool.park(fakeProcess(id).live);
    expect(await pool.relieve()).toBe(true);
    expect({ ends, exits, size: pool.size }).toEqual({ ends: ['memory'], exits: ['a'], size: 1 });
    expect(await pool.relieve()).toBe(true);
    expect(await pool.relieve()).toBe(false);
  });

  it('are handed out only when nothing of the last turn is left beside them', async () => {
    const { pool } = setUp();
    const { live } = fakeProcess('a');
    let cleared: (nothingElse: boolean) => void = () => undefined;
    live.process.sandboxed.killStrays = () => new Promise((resolve) => (cleared = resolve));
    const parking = pool.park(live);
    let taken: unknown = 'not yet';
    const taking = pool.take('a', FITS).then((given) => (taken = given));
    await jest.advanceTimersByTimeAsync(0);
    expect(taken).toBe('not yet');
    cleared(true);
    await Promise.all([parking, taking]);
    expect(taken).toBe(live);
  });

  it('that were started ahead wait like the others, for a first turn with no conversation yet', async () => {
    const { pool, ends, kept } = setUp({}, 101);
    const { live } = fakeProcess('a', { turnsServed: 0, conversation: null });
    await pool.park(live);
    expect({ kept, room: pool.hasRoom, has: pool.has('a') }).toEqual({ kept: ['a'], room: true, has: true });
    expect(await pool.take('a', { ...FITS, conversation: null })).toBe(live);
    await pool.park(live);
    await pool.evict('a', 'archived');
    expect(ends).toEqual(['ahead: archived']);
  });

  it('leave room for one more when one of them has not been used for a minute', async () => {
    const { pool } = setUp();
    await pool.park(fakeProcess('a').live);
    expect(pool.hasRoom).toBe(true);
    await pool.park(fakeProcess('b').live);
    expect(pool.hasRoom).toBe(false);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pool.hasRoom).toBe(true);
  });

  it('leave with the worker', async () => {
    const { pool } = setUp();
    const both = [fakeProcess('a'), fakeProcess('b')];
    for (const { live } of both) await pool.park(live);
    await pool.shutDown();
    expect(both.map(({ state }) => state.killed)).toEqual([true, true]);
  });
});
