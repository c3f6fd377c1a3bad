import type { Pool } from 'pg';
import { openBudgets } from './open-budgets';

const START = new Date(0);

/** A database with one budget, whose usage takes until `finish` to be counted. */
function countingSlowly() {
  let finish = (): void => undefined;
  const counting = new Promise<void>((resolve) => (finish = resolve));
  const state = { counts: 0, counted: false, connectionsThatFail: 0, finish: () => finish() };
  const budget = {
    id: 'budget',
    scope: 'team',
    subject_id: 'team',
    period: 'total',
    kind: 'hard',
    limit_usd: '1',
    window_start: START,
    notified_percent: 0,
  };
  const query = async (asked: string | { text: string }) => {
    const text = typeof asked === 'string' ? asked : asked.text;
    if (text.includes('AS earlier')) {
      state.counts += 1;
      await counting;
      return { rows: [{ budget_id: 'budget', window_start: START, earlier: '0.5' }] };
    }
    if (text.startsWith('UPDATE budget_window')) state.counted = true;
    return {
      rows: text.includes('b.limit_usd')
        ? [{ ...budget, spent_usd: state.counted ? '0.5' : '0', counted: state.counted }]
        : [],
    };
  };
  const stream = { cork: () => undefined, uncork: () => undefined };
  const connect = async () => {
    if (state.connectionsThatFail-- > 0) throw new Error('away');
    return { query, connection: { stream }, release: () => undefined };
  };
  return { state, pool: { query, connect } as unknown as Pool };
}

describe('opening budgets', () => {
  it('counts once what several people of a team ask for at the same time', async () => {
    const { state, pool } = countingSlowly();
    const asked = ['ada', 'ben', 'eve'].map((person) => openBudgets(pool, 'team', ['team', person], START));
    await new Promise(setImmediate);
    state.finish();
    const spent = (await Promise.all(asked)).map(([budget]) => budget?.spentUsd);
    expect([spent, state.counts]).toEqual([['0.5', '0.5', '0.5'], 1]);
  });

  it('continues with the next after one that failed', async () => {
    const { state, pool } = countingSlowly();
    state.connectionsThatFail = 1;
    state.finish();
    const [first, second] = ['ada', 'ben'].map((person) => openBudgets(pool, 'team', [person], START));
    await expect(first).rejects.toThrow('away');
    expect(await second).toMatchObject([{ spentUsd: '0.5', isCounted: true }]);
  });
});
