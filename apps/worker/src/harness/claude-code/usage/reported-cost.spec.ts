import { ReportedCost } from './reported-cost';

const model = (cacheRead: number, cacheWrite: number) => ({
  inputTokens: 3,
  outputTokens: 20,
  cacheReadInputTokens: cacheRead,
  cacheCreationInputTokens: cacheWrite,
  costUSD: 0.0003,
});
const total = { input_tokens: 3, output_tokens: 20, cache_read_input_tokens: 38_912, cache_creation_input_tokens: 856 };

function report(modelUsage: object): ReportedCost {
  const cost = new ReportedCost();
  cost.beginTurn();
  cost.addResult({ total_cost_usd: 0.0003, usage: total, modelUsage });
  return cost;
}

describe('usage that a result reports twice', () => {
  it('has the larger number of cache tokens where the two differ, and is marked', () => {
    const cost = report({ 'claude-sonnet-4-5': model(0, 0) });
    const usage = { inputTokens: 3, outputTokens: 20, cacheReadTokens: 38_912, cacheWriteTokens: 856 };
    expect([cost.usage, cost.doubt]).toEqual([usage, 'less-by-model']);
    expect(cost.byModel).toEqual([{ model: 'claude-sonnet-4-5', usage, costUsd: '0.0003' }]);
  });

  it('is left alone where the parts of the models are as much or, with their sub-agents, more', () => {
    expect(report({ a: model(38_912, 856) })).toMatchObject({ doubt: null, usage: { cacheReadTokens: 38_912 } });
    expect(report({ a: model(38_912, 856), b: model(500, 0) })).toMatchObject({
      doubt: null,
      usage: { cacheReadTokens: 39_412 },
    });
  });

  it('is marked in the turn that it is about alone', () => {
    const cost = report({ a: model(0, 0) });
    cost.beginTurn();
    expect([cost.doubt, cost.usage]).toEqual([null, null]);
  });

  it.each(['total', 'modelUsage', 'model_usage_since_last_result'])(
    'counts as 0, and is marked, where a number is too large to be true (%s)',
    (where) => {
      const cost = new ReportedCost();
      cost.beginTurn();
      const large = { ...model(38_912, 856), inputTokens: 1e12 + 1, outputTokens: 1e12 };
      if (where === 'total')
        cost.addResult({ total_cost_usd: 0.1, usage: { ...total, input_tokens: 1e300, output_tokens: 1e12 } });
      else
        cost.addResult({
          total_cost_usd: 0.1,
          usage: total,
          modelUsage: { a: model(38_912, 856) },
          [where]: { a: large },
        });
      expect([cost.usage, cost.doubt]).toEqual([
        { inputTokens: 0, outputTokens: 1e12, cacheReadTokens: 38_912, cacheWriteTokens: 856 },
        'too-large',
      ]);
      cost.beginTurn();
      expect(cost.doubt).toBeNull();
    },
  );
});
