import type { NewEvent, Originator } from '@chirality/contracts';
import type { AppendItem, AppendResult, Tx } from '@chirality/database';
import { TurnRecorder } from './turn-recorder';

const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'.slice(0, 40);

const ADA = { userId: 'user_1', clientId: 'cli_1', identityClass: 'agent' as const };

function setUp(answer: (item: AppendItem) => AppendResult = () => ({ appended: true, events: [] })) {
  const items: AppendItem[] = [];
  let fencedCalls = 0;
  const unwritable: Error[] = [];
  const recorder = new TurnRecorder(
    {
      append: async (item) => {
        items.push(item);
        return answer(item);
      },
    },
    { sessionId: 'sess', turnId: 'turn', fence: 3n, originator: ADA },
    () => (fencedCalls += 1),
    (error) => unwritable.push(error),
  );
  const events = () => items.flatMap((item) => item.events.map(({ kind, payload }) => ({ kind, payload: payload })));
  return { recorder, items, events, unwritable, fenced: () => fencedCalls };
}

const delta = (text: string, block = 0) => ({ messageId: 'm1', block, text });

describe('the recorder of a turn', () => {
  it('says everything in the name of who began the turn, but for what another person did', async () => {
    const { recorder, items } = setUp();
    const bob = { ...ADA, userId: 'user_2', identityClass: 'human' as const };
    const resolved = (turn: string, originator: Originator) =>
      ({
        ...{ kind: 'permission:resolve' as const, turn, originator },
        payload: { permissionId: 'perm_1', outcome: 'denied' as const },
      }) satisfies NewEvent;
    recorder.record('chat:delta', delta('Hello'));
    await recorder.transition(async () => [
      resolved('turn', { system: true }),
      resolved('turn', bob),
      resolved('other', { system: true }),
    ]);
    await recorder.settled();
    expect(items.flatMap(({ events }) => events.map(({ originator }) => originator))).toEqual([ADA]);
    const moved = await items.at(-1)?.transition?.({} as Tx);
    expect((moved as NewEvent[]).map(({ originator }) => originator)).toEqual([ADA, bob, { system: true }]);
  });

  it('finds a secret that arrives in two deltas, and the deltas say what the block says', () => {
    const { recorder, events } = setUp();
    const text = `token: ${SECRET} end`;
    recorder.record('chat:delta', delta(text.slice(0, 20)));
    recorder.record('chat:delta', delta(text.slice(20)));
    recorder.record('chat:complete', delta(text));
    const joined = events()
      .filter(({ kind }) => kind === 'chat:delta')
      .map(({ payload }) => payload['text'])
      .join('');
    const whole = events().find(({ kind }) => kind === 'chat:complete')?.payload['text'];
    expect(joined).toBe(whole);
    expect(joined).not.toContain(SECRET);
    expect(joined).toMatch(/^token: «redacted:[^»]+» end$/);
  });

  it('writes out what it held back when the process ends in mid word', () => {
    const { recorder, events } = setUp();
    recorder.record('chat:delta', delta('see ghp_01'));
    recorder.closeBlocks();
    expect(
      events()
        .map(({ payload }) => payload['text'])
        .join(''),
    ).toBe('see ghp_01');
  });

  it('masks what tools are given and what they say', () => {
    const { recorder, events } = setUp();
    recorder.record('tool:start', {
      toolUseId: 't',
      name: 'Bash',
      input: { command: `export T=${SECRET}` },
      mutating: true,
    });
    expect(JSON.stringify(events())).not.toContain(SECRET);
  });

  it('names no file of the host in what the service says, and leaves what tools say as it is', () => {
    const { recorder, events } = setUp();
    recorder.record('session:error', {
      code: 'SANDBOX_UNAVAILABLE',
      detail: 'open /srv/data/sessions/x failed',
      retryable: true,
    });
    recorder.record('turn:notice', { level: 'error', code: 'X', text: '/srv/data/x is gone' });
    recorder.record('tool:result', { toolUseId: 't', isError: false, content: 'ls /srv/data/x' } as never);
    expect(events().map(({ payload }) => payload['detail'] ?? payload['text'] ?? payload['content'])).toEqual([
      'open «path» failed',
      '«path» is gone',
      'ls /srv/data/x',
    ]);
  });

  it('withdraws what viewers saw of messages that will be said again, once', () => {
    const { recorder, events } = setUp();
    recorder.record('chat:delta', delta('half'));
    recorder.withdrawAll('retry');
    recorder.withdrawAll('retry');
    expect(events().filter(({ kind }) => kind === 'chat:withdrawn')).toEqual([
      { kind: 'chat:withdrawn', payload: { messageId: 'm1', fromBlock: 0, reason: 'retry' } },
    ]);
  });

  describe('an event that another one follows in a moment', () => {
    const start = { attempt: 1, worker: 'worker_1', process: 'parked' as const, paidBy: 'team' as const };
    const kinds = (items: AppendItem[]) => items.map((item) => item.events.map(({ kind }) => kind));
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('is stored with it, before it, with a change of state too', async () => {
      const { recorder, items } = setUp();
      recorder.recordWithNext('turn:start', start);
      recorder.record('chat:delta', delta('a'));
      await recorder.settled();
      recorder.recordWithNext('turn:start', start);
      expect(await recorder.transition(async () => true, [{ kind: 'session:init', payload: {} }])).toBe(true);
      expect(kinds(items)).toEqual([
        ['turn:start', 'chat:delta'],
        ['turn:start', 'session:init'],
      ]);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(items).toHaveLength(2);
    });

    it('is stored alone when nothing follows, and when all else is', async () => {
      const { recorder, items } = setUp();
      recorder.recordWithNext('turn:start', start);
      await jest.advanceTimersByTimeAsync(99);
      expect(items).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(kinds(items)).toEqual([['turn:start']]);
      recorder.recordWithNext('turn:start', start);
      await recorder.settled();
      expect(kinds(items)).toEqual([['turn:start'], ['turn:start']]);
    });

    it.each<[string, AppendResult | Error]>([
      ['refused', { appended: false, reason: 'transition_refused' }],
      ['not stored', new Error('away')],
    ])('does not fall with a change that is %s', async (_, first) => {
      const answers: (AppendResult | Error)[] = [first];
      const { recorder, items } = setUp(() => {
        const answer = answers.shift() ?? { appended: true, events: [] };
        if (answer instanceof Error) throw answer;
        return answer;
      });
      recorder.recordWithNext('turn:start', start);
      await recorder.transition(async () => true).catch(() => undefined);
      await recorder.settled();
      expect(kinds(items)).toEqual([['turn:start'], ['turn:start']]);
    });
  });

  it('stops at the first refused write and says so once', async () => {
    const { recorder, items, fenced } = setUp(() => ({ appended: false, reason: 'fenced' }));
    recorder.record('chat:delta', delta('a'));
    await recorder.settled();
    recorder.record('chat:delta', delta('b'));
    expect(await recorder.transition(async () => true)).toBe(false);
    expect({ written: items.length, fenced: fenced(), is: recorder.isFenced }).toEqual({
      written: 1,
      fenced: 1,
      is: true,
    });
  });

  it('leaves out an event that the database rejects, and continues', async () => {
    const { recorder, items, fenced, unwritable } = setUp((item) => {
      if (item.events.some(({ kind }) => kind === 'tool:start')) throw new Error('invalid input');
      return { appended: true, events: [] };
    });
    recorder.record('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true });
    await recorder.settled();
    recorder.record('chat:delta', delta('b'));
    await recorder.settled();
    expect({ written: items.length, fenced: fenced(), unwritable: unwritable.length }).toEqual({
      written: 2,
      fenced: 0,
      unwritable: 1,
    });
  });

  it('does not take a refused transition for a lost session', async () => {
    const { recorder } = setUp((item) =>
      item.transition ? { appended: false, reason: 'transition_refused' } : { appended: true, events: [] },
    );
    expect(await recorder.transition(async () => false)).toBe(false);
    expect(recorder.isFenced).toBe(false);
  });

  it('makes one event of deltas that come in one moment, for each block and in the order of the calls', async () => {
    const { recorder, events } = setUp();
    recorder.record('chat:delta', delta('a'));
    recorder.record('chat:delta', delta('b'));
    recorder.record('chat:delta', delta('m', 1));
    recorder.record('tool:progress', { toolUseId: 't', elapsedMs: 1 });
    recorder.record('chat:delta', delta('n', 1));
    await Promise.resolve();
    recorder.record('chat:delta', delta('e', 1));
    recorder.record('chat:delta', delta('x'.repeat(20_000), 1));
    recorder.record('chat:delta', delta('y', 1));
    await recorder.settled();
    expect(
      events().map(({ kind, payload }) =>
        kind === 'chat:delta'
          ? `${payload['block'] as number}:${(payload['text'] as string).replace(/x+/, 'x…')}`
          : kind,
      ),
    ).toEqual(['0:ab', '1:m', 'tool:progress', '1:n', '1:ex…', '1:y']);
  });

  it('carries the fence of its claim with every write', () => {
    const { recorder, items } = setUp();
    recorder.record('chat:delta', delta('a'));
    void recorder.transition(async () => true);
    expect(items.map(({ sessionId, fence }) => ({ sessionId, fence }))).toEqual([
      { sessionId: 'sess', fence: 3n },
      { sessionId: 'sess', fence: 3n },
    ]);
  });
});
