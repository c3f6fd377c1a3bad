import type { AheadAsk } from '@chirality/contracts';
import type { SessionToRun } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { PreparedTurn } from './prepared-turn';
import { AheadStarter, type AheadPorts } from './ahead-starter';

const ask: AheadAsk = { sessionId: 'sess_1', userId: 'user_1', options: {}, persona: null };
const session = { sessionId: 'sess_1', fence: 4n } as SessionToRun;
const prepared = {} as PreparedTurn;

function setUp(ports: Partial<AheadPorts> = {}) {
  const started: SessionToRun[] = [];
  const outcomes: string[] = [];
  const starter = new AheadStarter(
    {
      hasRoom: () => true,
      hasProcess: () => false,
      find: async () => session,
      whileIdle: (_session, start) => start(prepared),
      start: async (given) => void started.push(given),
      onOutcome: (outcome) => outcomes.push(outcome),
      ...ports,
    },
    { warn: () => undefined } as unknown as Logger,
  );
  return { starter, started, outcomes };
}

describe('a process ahead of a turn', () => {
  it('is started for a session that has none', async () => {
    const { starter, started, outcomes } = setUp();
    expect(await starter.start(ask)).toBe('started');
    expect({ started, outcomes }).toEqual({ started: [session], outcomes: ['started'] });
  });

  it.each<[string, Partial<AheadPorts>, string]>([
    ['slots, pool or memory have no room', { hasRoom: () => false }, 'no_room'],
    ['one waits already', { hasProcess: () => true }, 'not_wanted'],
    ['the person may not send a turn now', { find: async () => null }, 'not_wanted'],
    ['a turn is live or the copy is not fit', { whileIdle: async () => null }, 'session_busy'],
    ['the database is away', { find: () => Promise.reject(new Error('away')) }, 'failed'],
    ['the sandbox does not come up', { start: () => Promise.reject(new Error('no sandbox')) }, 'failed'],
  ])('is not, when %s', async (_why, ports, outcome) => {
    const { starter, started, outcomes } = setUp(ports);
    expect(await starter.start(ask)).toBe(outcome);
    expect({ started, outcomes }).toEqual({ started: [], outcomes: [outcome] });
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
