import type { AppendItem, AppendResult } from '@chirality/database';
import { TurnJournal } from './turn-journal';

const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'.slice(0, 40);

function setUp(answer: (item: AppendItem) => AppendResult = () => ({ appended: true, events: [] })) {
  const items: AppendItem[] = [];
  let fencedCalls = 0;
  const unwritable: Error[] = [];
  const journal = new TurnJournal(
    {
      append: async (item) => {
        items.push(item);
        return answer(item);
      },
    },
    { sessionId: 'sess', turnId: 'turn', fence: 3n },
    () => (fencedCalls += 1),
    (error) => unwritable.push(error),
  );
  const events = () => items.flatMap((item) => item.events.map(({ kind, payload }) => ({ kind, payload: payload })));
  return { journal, items, events, unwritable, fenced: () => fencedCalls };
}

const delta = (text: string, block = 0) => ({ messageId: 'm1', block, text });

describe('the journal of a turn', () => {
  it('finds a secret that arrives in two deltas, and the deltas say what the block says', () => {
    const { journal, events } = setUp();
    const text = `token: ${SECRET} end`;
    journal.record('chat:delta', delta(text.slice(0, 20)));
    journal.record('chat:delta', delta(text.slice(20)));
    journal.record('chat:complete', delta(text));
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
    const { journal, events } = setUp();
    journal.record('chat:delta', delta('see ghp_01'));
    journal.closeBlocks();
    expect(
      events()
        .map(({ payload }) => payload['text'])
        .join(''),
    ).toBe('see ghp_01');
  });

  it('masks what tools are given and what they say', () => {
    const { journal, events } = setUp();
    journal.record('tool:start', {
      toolUseId: 't',
      name: 'Bash',
      input: { command: `export T=${SECRET}` },
      mutating: true,
    });
    expect(JSON.stringify(events())).not.toContain(SECRET);
  });

  it('names no file of the host in what the service says, and leaves what tools say as it is', () => {
    const { journal, events } = setUp();
    journal.record('session:error', {
      code: 'SANDBOX_UNAVAILABLE',
      detail: 'open /srv/data/sessions/x failed',
      retryable: true,
    });
    journal.record('turn:notice', { level: 'error', code: 'X', text: '/srv/data/x is gone' });
    journal.record('tool:result', { toolUseId: 't', isError: false, content: 'ls /srv/data/x' } as never);
    expect(events().map(({ payload }) => payload['detail'] ?? payload['text'] ?? payload['content'])).toEqual([
      'open «path» failed',
      '«path» is gone',
      'ls /srv/data/x',
    ]);
  });

  it('withdraws what viewers saw of messages that will be said again, once', () => {
    const { journal, events } = setUp();
    journal.record('chat:delta', delta('half'));
    journal.withdrawAll('retry');
    journal.withdrawAll('retry');
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
      const { journal, items } = setUp();
      journal.recordWithNext('turn:start', start);
      journal.record('chat:delta', delta('a'));
      await journal.settled();
      journal.recordWithNext('turn:start', start);
      expect(await journal.transition(async () => true, [{ kind: 'session:init', payload: {} }])).toBe(true);
      expect(kinds(items)).toEqual([
        ['turn:start', 'chat:delta'],
        ['turn:start', 'session:init'],
      ]);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(items).toHaveLength(2);
    });

    it('is stored alone when nothing follows, and when all else is', async () => {
      const { journal, items } = setUp();
      journal.recordWithNext('turn:start', start);
      await jest.advanceTimersByTimeAsync(99);
      expect(items).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(kinds(items)).toEqual([['turn:start']]);
      journal.recordWithNext('turn:start', start);
      await journal.settled();
      expect(kinds(items)).toEqual([['turn:start'], ['turn:start']]);
    });

    it.each<[string, AppendResult | Error]>([
      ['refused', { appended: false, reason: 'transition_refused' }],
      ['not stored', new Error('away')],
    ])('does not fall with a change that is %s', async (_, first) => {
      const answers: (AppendResult | Error)[] = [first];
      const { journal, items } = setUp(() => {
        const answer = answers.shift() ?? { appended: true, events: [] };
        if (answer instanceof Error) throw answer;
        return answer;
      });
      journal.recordWithNext('turn:start', start);
      await journal.transition(async () => true).catch(() => undefined);
      await journal.settled();
      expect(kinds(items)).toEqual([['turn:start'], ['turn:start']]);
    });
  });

  it('stops at the first refused write and says so once', async () => {
    const { journal, items, fenced } = setUp(() => ({ appended: false, reason: 'fenced' }));
    journal.record('chat:delta', delta('a'));
    await journal.settled();
    journal.record('chat:delta', delta('b'));
    expect(await journal.transition(async () => true)).toBe(false);
    expect({ written: items.length, fenced: fenced(), is: journal.isFenced }).toEqual({
      written: 1,
      fenced: 1,
      is: true,
    });
  });

  it('leaves out an event that the database rejects, and continues', async () => {
    const { journal, items, fenced, unwritable } = setUp((item) => {
      if (item.events.some(({ kind }) => kind === 'tool:start')) throw new Error('invalid input');
      return { appended: true, events: [] };
    });
    journal.record('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true });
    await journal.settled();
    journal.record('chat:delta', delta('b'));
    await journal.settled();
    expect({ written: items.length, fenced: fenced(), unwritable: unwritable.length }).toEqual({
      written: 2,
      fenced: 0,
      unwritable: 1,
    });
  });

  it('does not take a refused transition for a lost session', async () => {
    const { journal } = setUp((item) =>
      item.transition ? { appended: false, reason: 'transition_refused' } : { appended: true, events: [] },
    );
    expect(await journal.transition(async () => false)).toBe(false);
    expect(journal.isFenced).toBe(false);
  });

  it('makes one event of deltas that come in one moment, for each block and in the order of the calls', async () => {
    const { journal, events } = setUp();
    journal.record('chat:delta', delta('a'));
    journal.record('chat:delta', delta('b'));
    journal.record('chat:delta', delta('c', 1));
    journal.record('tool:progress', { toolUseId: 't', elapsedMs: 1 });
    journal.record('chat:delta', delta('d', 1));
    await Promise.resolve();
    journal.record('chat:delta', delta('e', 1));
    journal.record('chat:delta', delta('x'.repeat(20_000), 1));
    journal.record('chat:delta', delta('y', 1));
    await journal.settled();
    expect(
      events().map(({ kind, payload }) =>
        kind === 'chat:delta'
          ? `${payload['block'] as number}:${(payload['text'] as string).replace(/x+/, 'x…')}`
          : kind,
      ),
    ).toEqual(['0:ab', '1:c', 'tool:progress', '1:d', '1:ex…', '1:y']);
  });

  it('carries the fence of its claim with every write', () => {
    const { journal, items } = setUp();
    journal.record('chat:delta', delta('a'));
    void journal.transition(async () => true);
    expect(items.map(({ sessionId, fence }) => ({ sessionId, fence }))).toEqual([
      { sessionId: 'sess', fence: 3n },
      { sessionId: 'sess', fence: 3n },
    ]);
  });
});
