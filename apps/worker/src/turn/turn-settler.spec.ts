import type { SessionStateRepository, TurnSettlementRepository, UsageRepository } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { ActiveTurn } from '../record/active-turn';
import { TurnSettler, type TurnEnd } from './turn-settler';
import { TurnTimings } from '../record/turn-timings';

type Settled = Parameters<TurnSettlementRepository['settle']>[0];
type Answer = Awaited<ReturnType<TurnSettlementRepository['settle']>>;

type Fakes = { end?: object; recorder?: object; costs?: object; untoldLaunch?: string };

function setUp(answers: (Answer | Error)[], { end, recorder, costs, untoldLaunch }: Fakes = {}) {
  const asked: Settled[] = [];
  const turns = {
    settle: async (settled: Settled) => {
      asked.push(settled);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer as Answer;
    },
  };
  const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;
  const settler = new TurnSettler(
    turns as TurnSettlementRepository,
    {} as SessionStateRepository,
    {} as UsageRepository,
    log,
  );
  const turn = {
    claimed: { id: 'turn_1', sessionId: 'sess_1', kind: 'message', session: {} },
    state: {
      attempt: { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 3n },
      untoldLaunch: untoldLaunch ?? null,
    },
    recorder: recorder ?? { settled: async () => undefined },
    costs: costs ?? { messageCount: 0, unpricedModels: [] },
    timings: new TurnTimings(new Date(), new Date()),
  } as unknown as ActiveTurn;
  const ended = {
    ending: { cause: 'succeed', error: null },
    last: null,
    lastWords: null,
    bootFingerprint: null,
    ...end,
  } as TurnEnd;
  return { asked, settle: () => settler.settle(turn, ended) };
}

const appended: Answer = { appended: true, events: [] };

describe('settling a turn', () => {
  it('is done with the first answer', async () => {
    const { asked, settle } = setUp([appended]);
    await settle();
    expect(asked.map(({ cause }) => cause)).toEqual(['succeed']);
  });

  it('reports with the end the turn’s outcome, masked, where it was not announced before', async () => {
    const key = `sk-ant-api03-${'a'.repeat(40)}`;
    const lastWords = {
      text: `The key is ${key}.`,
      degraded: false,
      costUsd: '0',
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    };
    const { asked, settle } = setUp([appended], { end: { lastWords } });
    await settle();
    expect(asked[0]?.events).toMatchObject([
      { kind: 'session:complete', turn: 'turn_1', payload: { degraded: false } },
    ]);
    expect(JSON.stringify(asked[0]?.events)).toContain('The key is ');
    expect(JSON.stringify(asked[0]?.events)).not.toContain(key);
  });

  it.each<[string, (Answer | Error)[]]>([
    ['as it ended', [appended]],
    ['as failed', [new Error('invalid input syntax'), appended]],
  ])('says %s what served a turn whose program never announced itself', async (_, answers) => {
    const { asked, settle } = setUp(answers, { untoldLaunch: '{"program":"claude"}' });
    await settle();
    expect(asked.at(-1)?.set).toMatchObject({ launch: '{"program":"claude"}' });
  });

  it('says which model had no price, and compares no report with what is unknown', async () => {
    const notices: unknown[] = [];
    const recorder = {
      settled: async () => undefined,
      record: (_kind: string, payload: unknown) => void notices.push(payload),
    };
    const costs = {
      messageCount: 1,
      unpricedModels: ['made-up'],
      allComplete: true,
      isDemo: false,
      soFar: () => ({ costUsd: null }),
    };
    const last = { outcome: { reportedCostUsd: '0.5', retryable: true, denials: [] }, stopReason: null, exit: null };
    const { settle } = setUp([appended], { recorder, costs, end: { last } });
    await settle();
    expect(notices).toMatchObject([{ level: 'warning', code: 'COST_UNKNOWN', models: ['made-up'] }]);
  });

  it('leaves the turn to the worker that has taken the session over', async () => {
    const { asked, settle } = setUp([{ appended: false, reason: 'fenced' }]);
    await settle();
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Answer | Error]>([
    ['is refused', { appended: false, reason: 'transition_refused' }],
    ['cannot be stored', new Error('invalid input syntax')],
  ])('ends the turn as failed when its own end %s: no turn stays live for ever', async (_, first) => {
    const { asked, settle } = setUp([first, appended]);
    await settle();
    expect(asked[1]).toMatchObject({
      cause: 'fail',
      attempt: 1,
      fence: 3n,
      set: { error: { code: 'HARNESS_FAILURE' } },
    });
    expect(asked[1]?.events?.map(({ kind }) => kind)).toEqual(['session:error']);
  });
});
