import type { ClaimedTurn } from '@chirality/database';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { LiveProcess } from './live-process';
import type { Tuning } from '../harness/harness';
import { Harnesses } from '../harness/registry/harnesses';
import { ProcessStarter } from './process-starter';

const claimed = {
  id: 'turn_1',
  sessionId: 'sess_1',
  fence: 7n,
  author: { userId: 'user_1' },
  session: { harness: 'claude-code' },
} as ClaimedTurn;
const base = {
  message: 'Hello',
  mode: 'workbench',
  gate: { permissionMode: 'default', strict: false },
  model: 'sonnet',
  maxTurns: 25,
  tools: 'default',
  disallowedTools: [],
  network: { hosts: [], webSearch: false },
  timeoutMs: null,
  account: { paidBy: 'team', keyId: 'key_1' },
  resume: 'c1',
  promptHostPath: '/prompts/a.md',
  promptHash: 'a',
  bootFingerprint: 'f',
  author: { name: 'Ada', email: 'user_1@users.chirality.local' },
  fresh: false,
  restored: false,
  disk: { workspace: '/w', config: '/c', objects: '/o', lockFile: '/l' },
} as unknown as PreparedTurn;

function setUp() {
  const asked: { spawnKey: string; fence: bigint; conversation: string | null; tuning: Tuning }[] = [];
  const evicted: string[] = [];
  const waiting = { turnsServed: 3, launch: { args: [], promptHash: 'a' } } as unknown as LiveProcess;
  const pool = {
    take: async (_session: string, fits: (typeof asked)[number]) => (asked.push(fits), waiting),
    evict: async (session: string) => void evicted.push(session),
  };
  const gateway = { open: () => Promise.reject(new Error('a process is started')) };
  const book = { registered: () => undefined, unregistered: () => undefined };
  const starter = new ProcessStarter(
    {} as never,
    gateway as never,
    {} as never,
    pool as never,
    {} as never,
    book,
    { clear: async () => undefined },
    new Harnesses({} as never),
  );
  const keyOf = async (change: Partial<PreparedTurn>) => {
    await starter.acquire(claimed, { ...base, ...change }, 'any');
    return asked.at(-1)?.spawnKey;
  };
  return { starter, asked, evicted, keyOf };
}

describe('finding a turn its process', () => {
  it('takes the one that waits, for this claim and this conversation', async () => {
    const { starter, asked } = setUp();
    expect(await starter.acquire(claimed, base, 'any')).toMatchObject({ origin: 'parked', live: { turnsServed: 3 } });
    expect(asked).toMatchObject([{ fence: 7n, conversation: 'c1' }]);
  });

  it.each<[string, Partial<PreparedTurn>]>([
    ['persona or project context, which are in the prompt,', { promptHash: 'b' }],
    ['the number of steps', { maxTurns: 5 }],
    ['the effort', { effort: 'high' }],
    ['the tools', { tools: ['Read'] }],
    ['the refused tools', { disallowedTools: ['Bash'] }],
    ['what the project may reach', { network: { hosts: ['example.com'], webSearch: false } }],
    ['the key that pays', { account: { paidBy: 'team', keyId: 'key_2' } }],
    ['the author', { author: { name: 'Ada', email: 'user_2@users.chirality.local' } }],
    ['the copy of the session', { disk: { ...base.disk, workspace: '/other' } }],
  ])('never takes one that was made before %s changed', async (_what, change) => {
    const { keyOf } = setUp();
    const before = await keyOf({});
    expect(await keyOf(change)).not.toBe(before);
    expect(await keyOf({ message: 'Other', resume: null })).toBe(before);
  });

  it('asks for the one that waits with the model and the mode of the turn, which do not make it another one', async () => {
    const { keyOf, asked } = setUp();
    const before = await keyOf({});
    expect(await keyOf({ model: 'opus', gate: { ...base.gate, permissionMode: 'plan' } })).toBe(before);
    expect(asked.map(({ tuning }) => tuning)).toEqual([
      { model: 'sonnet', permissionMode: 'default' },
      { model: 'opus', permissionMode: 'plan' },
    ]);
  });

  it('says for a replay what a program for this turn would be called with', async () => {
    const { starter } = setUp();
    const {
      launch: { args, promptHash },
    } = await starter.acquire(claimed, { ...base, model: 'opus' }, 'any');
    expect([args.slice(args.indexOf('--model'), args.indexOf('--model') + 2), args.slice(-2), promptHash]).toEqual([
      ['--model', 'opus'],
      ['--resume', 'c1'],
      'a',
    ]);
  });

  it.each<[string, Partial<PreparedTurn>, 'any' | 'cold']>([
    ['wants a fresh conversation', { fresh: true }, 'any'],
    ['has a copy that was rebuilt', { restored: true }, 'any'],
    ['is tried again', {}, 'cold'],
  ])('ends the one that waits when the turn %s', async (_why, change, mode) => {
    const { starter, asked, evicted } = setUp();
    await expect(starter.acquire(claimed, { ...base, ...change }, mode)).rejects.toThrow('a process is started');
    expect({ asked, evicted }).toEqual({ asked: [], evicted: ['sess_1'] });
  });
});
