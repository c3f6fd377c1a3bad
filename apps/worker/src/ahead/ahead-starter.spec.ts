import type { AheadAsk } from '@chirality/contracts';
import type { SessionToRun } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { PreparedTurn } from '../prepare/prepared-turn';
import { AheadStarter } from './ahead-starter';

const ask: AheadAsk = { sessionId: 'sess_1', userId: 'user_1', options: {}, persona: null };
const session = { sessionId: 'sess_1', fence: 4n } as SessionToRun;
const prepared = {} as PreparedTurn;

type Faults = {
  isFull?: boolean;
  has?: boolean;
  find?: () => Promise<SessionToRun | null>;
  isBusy?: boolean;
  start?: () => Promise<void>;
};

function setUp({ isFull = false, has = false, find = async () => session, isBusy = false, start }: Faults = {}) {
  const started: SessionToRun[] = [];
  const starter = new AheadStarter(
    { isThere: !isFull },
    { has: () => has },
    { find },
    { whileIdle: async (_session, work) => (isBusy ? null : work(prepared)) },
    { startAhead: start ?? (async (given) => void started.push(given)) },
    { warn: () => undefined } as unknown as Logger,
  );
  return { starter, started };
}

describe('a process ahead of a turn', () => {
  it('is started for a session that has none', async () => {
    const { starter, started } = setUp();
    expect(await starter.start(ask)).toBe('started');
    expect(started).toEqual([session]);
  });

  it.each<[string, Faults, string]>([
    ['slots, pool or memory have no room', { isFull: true }, 'no_room'],
    ['one waits already', { has: true }, 'not_wanted'],
    ['the person may not send a turn now', { find: async () => null }, 'not_wanted'],
    ['a turn is live or the copy is not fit', { isBusy: true }, 'session_busy'],
    ['the database is away', { find: () => Promise.reject(new Error('away')) }, 'failed'],
    ['the sandbox does not come up', { start: () => Promise.reject(new Error('no sandbox')) }, 'failed'],
  ])('is not, when %s', async (_why, faults, outcome) => {
    const { starter, started } = setUp(faults);
    expect(await starter.start(ask)).toBe(outcome);
    expect(started).toEqual([]);
  });

  it('is started once, however many ask meanwhile', async () => {
    const { starter, started } = setUp();
    expect(await Promise.all([starter.start(ask), starter.start(ask)])).toEqual(['started', 'not_wanted']);
    expect(started).toHaveLength(1);
  });

  it('is no longer started once the worker stops, which waits for what is being started', async () => {
    let found: (session: SessionToRun) => void = () => undefined;
    const { starter, started } = setUp({ find: () => new Promise((resolve) => (found = resolve)) });
    const starting = starter.start(ask);
    let stopped = false;
    const stopping = starter.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    found(session);
    expect(await starting).toBe('no_room');
    await stopping;
    expect(started).toEqual([]);
  });
});
