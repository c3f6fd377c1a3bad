import type { Scenario } from './scenario';
import { anotherTurn, init, res } from './records';

const part = (inputTokens: number, costUSD: number) => ({ a: { inputTokens, costUSD } });
const tokens = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});
/** What the program reports that it cost. */
export const COSTS: Scenario[] = [
  {
    name: 'another turn costs what it adds to the totals',
    records: [
      init(),
      res({ total_cost_usd: 0.1, modelUsage: part(10, 0.1) }),
      anotherTurn(),
      res({ total_cost_usd: 0.25, modelUsage: part(25, 0.25) }),
    ],
    outcome: {
      reportedCostUsd: '0.15',
      reportedByModel: [
        {
          model: 'a',
          usage: { inputTokens: 15, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: '0.15',
        },
      ],
    },
  },
  {
    name: 'another turn has separate usage',
    records: [init(), res({ usage: { input_tokens: 10 } }), anotherTurn(), res({ usage: { input_tokens: 3 } })],
    outcome: { reportedUsage: { inputTokens: 3, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 } },
  },
  {
    name: 'a cleared conversation restarts its totals, by model, too',
    records: [
      init(),
      res({ total_cost_usd: 0.5, modelUsage: part(50, 0.5) }),
      { type: 'conversation_reset' },
      anotherTurn(),
      res({ total_cost_usd: 0.2, modelUsage: part(20, 0.2) }),
    ],
    outcome: {
      reportedCostUsd: '0.2',
      reportedByModel: [
        {
          model: 'a',
          usage: { inputTokens: 20, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: '0.2',
        },
      ],
    },
  },
  {
    name: 'costs of several results add up',
    records: [
      init(),
      res({ model_usage_since_last_result: { a: { costUSD: 0.1, inputTokens: 1 } } }),
      res({ model_usage_since_last_result: { a: { costUSD: 0.2, inputTokens: 2 }, b: { costUSD: 0.3 }, c: 'odd' } }),
      res({ model_usage_since_last_result: {} }),
    ],
    outcome: {
      reportedCostUsd: '0.6',
      reportedUsage: { inputTokens: 3, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      reportedByModel: [
        {
          model: 'a',
          usage: { inputTokens: 3, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: '0.3',
        },
        {
          model: 'b',
          usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: '0.3',
        },
      ],
    },
  },
  {
    name: 'totals that grow count by their difference, by model, too',
    records: [
      init(),
      res({
        total_cost_usd: 0.1,
        modelUsage: {
          a: { costUSD: 0.1, inputTokens: 5, outputTokens: 9, cacheReadInputTokens: 9, cacheCreationInputTokens: 9 },
        },
      }),
      res({
        total_cost_usd: 0.25,
        modelUsage: {
          a: { costUSD: 0.2, inputTokens: 7, outputTokens: 8, cacheReadInputTokens: 10, cacheCreationInputTokens: 11 },
          b: { costUSD: 0.05 },
        },
      }),
    ],
    outcome: {
      reportedCostUsd: '0.25',
      reportedByModel: [
        {
          model: 'a',
          usage: { inputTokens: 7, outputTokens: 9, cacheReadTokens: 10, cacheWriteTokens: 11 },
          costUsd: '0.2',
        },
        {
          model: 'b',
          usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
          costUsd: '0.05',
        },
      ],
    },
  },
  {
    name: 'a total that sinks costs nothing',
    records: [init(), res({ total_cost_usd: 0.25 }), res({ total_cost_usd: 0.2 })],
    outcome: { reportedCostUsd: '0.25' },
  },
  {
    name: 'a result that knows no cost says none',
    records: [init(), res({ total_cost_usd: undefined })],
    outcome: { reportedCostUsd: null, reportedByModel: [] },
  },
  {
    name: 'an absurd amount is none',
    records: [init(), res({ total_cost_usd: 1e300 })],
    outcome: { reportedCostUsd: null },
  },
  {
    name: 'usage of several results adds up',
    records: [
      init(),
      res({ usage: { input_tokens: 1, output_tokens: 2 } }),
      res({
        usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: -5, cache_creation_input_tokens: 'x' },
      }),
    ],
    outcome: { reportedUsage: { inputTokens: 11, outputTokens: 22, cacheReadTokens: 0, cacheWriteTokens: 0 } },
  },
  {
    name: 'mixed ways of reporting',
    records: [
      init(),
      res({ total_cost_usd: 0.5, model_usage_since_last_result: { a: { costUSD: 0.1 } } }),
      res({ total_cost_usd: 0.75 }),
    ],
    outcome: { reportedCostUsd: '0.35' },
  },
  {
    name: 'a count that is too large to be true is 0 and marked, in its turn alone',
    records: [init(), res({ total_cost_usd: 0.1, usage: { input_tokens: 1e300, output_tokens: 2 } })],
    outcome: { usageDoubt: 'too-large', reportedUsage: tokens(0, 2) },
  },
  {
    name: 'another turn is not marked for it',
    records: [init(), res({ usage: { input_tokens: 1e300 } }), anotherTurn(), res({ usage: { input_tokens: 3 } })],
    outcome: { usageDoubt: undefined, reportedUsage: tokens(3, 0) },
  },
  {
    name: 'a count by model that is too large is marked too',
    records: [init(), res({ total_cost_usd: 0.1, usage: { input_tokens: 1 }, modelUsage: part(1e300, 0.1) })],
    outcome: { usageDoubt: 'too-large' },
  },
  {
    name: 'cache tokens that only the total has go to the first model, and are marked',
    records: [
      init(),
      res({
        total_cost_usd: 0.3,
        usage: { cache_read_input_tokens: 9, cache_creation_input_tokens: 4 },
        modelUsage: { a: { costUSD: 0.1, cacheCreationInputTokens: 4 }, b: { costUSD: 0.2 } },
      }),
    ],
    outcome: {
      usageDoubt: 'less-by-model',
      reportedByModel: [
        { model: 'a', usage: tokens(0, 0, 9, 4), costUsd: '0.1' },
        { model: 'b', usage: tokens(0, 0), costUsd: '0.2' },
      ],
    },
  },
  {
    name: 'models that have as many are not',
    records: [
      init(),
      res({
        total_cost_usd: 0.1,
        usage: { cache_read_input_tokens: 9 },
        modelUsage: { a: { costUSD: 0.1, cacheReadInputTokens: 9 } },
      }),
    ],
    outcome: { usageDoubt: undefined },
  },
];
