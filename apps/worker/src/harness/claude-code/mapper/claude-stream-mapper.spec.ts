import {
  init,
  messageStart,
  res,
  retry,
  system,
  textDelta,
  tool,
  tres,
  txt,
} from '../../../../test/stream-scenarios/records';
import { ClaudeStreamMapper, type HarnessOutput } from './claude-stream-mapper';

function setUp(requestedSessionId: string | null = null) {
  let now = 0;
  const mapper = new ClaudeStreamMapper({
    requestedSessionId,
    asked: { model: 'opus', permissionMode: 'default' },
    clock: () => now,
  });
  const feed = (...records: unknown[]): HarnessOutput[] => records.flatMap((record) => mapper.accept(record));
  return { mapper, feed, pass: (ms: number) => (now += ms), finish: () => mapper.finish({ code: 0, signal: null }) };
}

const kindsOf = (outputs: HarnessOutput[]) =>
  outputs.map((output) => (output.type === 'event' ? output.event.kind : output.type));

describe('one process serving several turns', () => {
  it('begins each turn with nothing but the conversation', () => {
    const { mapper, feed, finish } = setUp();
    feed(
      init(),
      messageStart('m1'),
      textDelta('m1', 'one'),
      txt('m1', 'one'),
      tool('m1', 't1', 'Bash'),
      { type: 'novel' },
      system('permission_denied', { tool_use_id: 't1' }),
      res({ result: 'one', total_cost_usd: 0.1 }),
    );
    mapper.beginTurn();
    expect(finish()).toMatchObject({
      hasResult: false,
      text: '',
      denials: [],
      openTools: [],
      mutatingToolStarted: false,
      reportedCostUsd: null,
      claudeSessionId: 'session-a',
      model: 'claude-opus-5-5',
      streamedMessageIds: [],
    });
    expect([...finish().ignored]).toEqual([]);
    const outputs = feed(init(), txt('m2', 'two'), res({ result: 'two', total_cost_usd: 0.25 }));
    expect(kindsOf(outputs)).toEqual(['init', 'session:init', 'first-text', 'chat:complete', 'result']);
    expect(finish()).toMatchObject({ hasResult: true, text: 'two' });
  });

  it.each(['claude\u001b]52;c;aGk=\u0007', 'opus\u202e', 'two\nlines', 'm'.repeat(121), '<b>'])(
    'takes no model name from the program that none can have: %j',
    (model) => {
      const { feed, finish } = setUp();
      const outputs = feed(init({ model }), system('model_fallback', { fallback_model: model }));
      expect(JSON.stringify(outputs)).not.toContain(JSON.stringify(model).slice(1, -1));
      expect(finish().model).toBeNull();
      feed(init({ model: 'us.anthropic.claude-opus-5-5-v1:0[1m]' }));
      expect(finish().model).toBe('us.anthropic.claude-opus-5-5-v1:0[1m]');
    },
  );

  it('cumulative-process: each turn costs what it added to the total', () => {
    const { mapper, feed, finish } = setUp();
    const usage = (inputTokens: number, costUSD: number) => ({ main: { inputTokens, outputTokens: 1, costUSD } });
    feed(init(), txt('m1', 'x'), res({ result: 'x', total_cost_usd: 0.1, modelUsage: usage(10, 0.1) }));
    expect(finish().reportedCostUsd).toBe('0.1');
    mapper.beginTurn();
    feed(init(), txt('m2', 'x'), res({ result: 'x', total_cost_usd: 0.25, modelUsage: usage(25, 0.25) }));
    expect(finish()).toMatchObject({
      reportedCostUsd: '0.15',
      reportedByModel: [{ model: 'main', usage: { inputTokens: 15 }, costUsd: '0.15' }],
    });
    mapper.beginTurn();
    feed(init(), txt('m3', 'x'), res({ result: 'x', total_cost_usd: 0.2, modelUsage: usage(20, 0.2) }));
    expect(finish().reportedCostUsd).toBe('0');
  });

  it('compares init with what the turn asked for', () => {
    const { mapper, feed } = setUp();
    feed(init());
    mapper.beginTurn({ model: 'sonnet' });
    expect(feed(init()).find((output) => output.type === 'event' && output.event.kind === 'turn:notice')).toMatchObject(
      { event: { payload: { code: 'INIT_MISMATCH', text: 'Model: asked for sonnet, runs with claude-opus-5-5.' } } },
    );
    mapper.beginTurn({ permissionMode: 'plan' });
    expect(kindsOf(feed(init({ model: 'claude-sonnet-5', permissionMode: 'plan' })))).toEqual(['init', 'session:init']);
  });

  it('keeps the list of tasks from turn to turn', () => {
    const { mapper, feed } = setUp();
    feed(
      init(),
      tool('m1', 't1', 'TaskCreate', { subject: 'One' }),
      tres('t1', 'ok', { tool_use_result: { task: { id: '1' } } }),
    );
    mapper.beginTurn();
    const outputs = feed(tool('m2', 't2', 'TaskUpdate', { taskId: '1', status: 'completed' }), tres('t2', 'ok'));
    expect(outputs.filter(({ type }) => type === 'event').at(-1)).toMatchObject({
      event: { kind: 'todo:update', payload: { items: [{ id: '1', text: 'One', status: 'completed' }] } },
    });
  });

  it('says by whose word a tool ran', () => {
    const meta = (decision: string) => ({
      tool_result_meta: [{ id: 't1', permission_decision: { decision, source: 'hook' } }],
    });
    const { feed } = setUp();
    const rulings = (record: unknown) => feed(record).filter(({ type }) => type === 'tool-ruling');
    feed(tool('m1', 't1', 'Bash'), tool('m2', 't2', 'Read'));
    expect(rulings({ ...tres('t1', 'ok'), ...meta('accept') })).toEqual([
      { type: 'tool-ruling', toolUseId: 't1', name: 'Bash', ruling: 'accepted' },
    ]);
    expect(rulings({ ...tres('t1', 'no', { isError: true }), ...meta('reject') })).toMatchObject([
      { ruling: 'rejected' },
    ]);
    expect(rulings(tres('t2', 'ok'))).toMatchObject([{ name: 'Read', ruling: 'unsaid' }]);
    expect(rulings(tres('t2', 'No such tool', { isError: true }))).toEqual([]);
  });

  it('a stream that broke in one turn takes nothing back in the next', () => {
    const { mapper, feed } = setUp();
    feed(init(), messageStart('m1'), textDelta('m1', 'half'));
    mapper.beginTurn();
    expect(kindsOf(feed(retry(1, 529), messageStart('m2'), textDelta('m2', 'x')))).toEqual([
      'turn:retry',
      'first-text',
      'chat:delta',
    ]);
  });
});

describe('outputs', () => {
  it('says once when the answer begins, by thinking or text of the main conversation', () => {
    const { feed } = setUp();
    expect(kindsOf(feed(init(), txt('s1', 'inner', 't1')))).not.toContain('first-text');
    expect(kindsOf(feed(messageStart('m1'), textDelta('m1', 'a'), textDelta('m1', 'b'), txt('m1', 'ab')))).toEqual([
      'first-text',
      'chat:delta',
      'chat:delta',
      'chat:complete',
    ]);
  });

  it('wedged-session: continues after anything', () => {
    const { feed, finish } = setUp();
    feed(undefined, Symbol('x'), () => undefined, 10n, new Date(), init(), txt('m1', 'ok'), res({ result: 'ok' }));
    expect(finish()).toMatchObject({ outcome: 'completed', text: 'ok' });
  });

  it('measures a tool by the clock that it was given', () => {
    const { feed, pass } = setUp();
    feed(init(), tool('m1', 't1', 'Bash'));
    pass(1_234.4);
    expect(feed(tres('t1', 'ok'))).toContainEqual({ type: 'tool-ended', toolUseId: 't1', ms: 1_234 });
  });

  it('counts results and passes on what is queued', () => {
    const { feed } = setUp();
    const results = feed(
      init(),
      txt('m1', 'a'),
      res({ result: 'a', queued_turn_count: 1 }),
      res({ result: 'b', result_index: 7 }),
      res({ result: 'c' }),
    );
    expect(
      results.flatMap((output) =>
        output.type === 'result' ? [[output.result.resultIndex, output.result.queuedTurnCount]] : [],
      ),
    ).toEqual([
      [0, 1],
      [7, 0],
      [2, 0],
    ]);
  });
});
