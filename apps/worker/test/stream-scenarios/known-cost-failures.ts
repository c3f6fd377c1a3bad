import type { Scenario } from './scenario';
import { assistant, init, messageDelta, messageStart, res, txt, type StreamRecord } from './records';

const models = (parts: Record<string, number>): StreamRecord =>
  Object.fromEntries(
    Object.entries(parts).map(([model, costUSD]) => [
      model,
      { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4, costUSD },
    ]),
  );

/** Failures that people reported of programs that add up what this stream says it cost. */
export const KNOWN_COST_FAILURES: Scenario[] = [
  {
    name: 'cost/same-message-id: a message counts once, its output from the closing record',
    records: [
      init(),
      ...[1, 2, 3]
        .map(() => assistant('m1', [{ type: 'text', text: 'x' }], {}))
        .map((record) => ({
          ...record,
          message: {
            ...(record['message'] as StreamRecord),
            usage: {
              input_tokens: 10,
              output_tokens: 1,
              cache_creation_input_tokens: 1000,
              cache_read_input_tokens: 5000,
            },
          },
        })),
      res({
        result: 'xxx',
        usage: {
          input_tokens: 10,
          output_tokens: 300,
          cache_creation_input_tokens: 1000,
          cache_read_input_tokens: 5000,
        },
      }),
    ],
    outcome: {
      reportedUsage: { inputTokens: 10, outputTokens: 300, cacheReadTokens: 5000, cacheWriteTokens: 1000 },
      reportedCostUsd: '0',
    },
  },
  {
    name: 'cost/same-message-id: also without a result, by the last word of the stream',
    records: [
      init(),
      messageStart('m1'),
      messageDelta('m1', 'tool_use', {
        input_tokens: 10,
        output_tokens: 300,
        cache_creation_input_tokens: 1000,
        cache_read_input_tokens: 5000,
      }),
      txt('m1', 'x'),
      txt('m2', 'y'),
      txt('m2', 'y'),
      { ...txt('s1', 'inner', 't1'), message: { id: 's1', content: [], usage: { input_tokens: 7_000 } } },
    ],
    outcome: {
      reportedUsage: { inputTokens: 22, outputTokens: 301, cacheReadTokens: 5100, cacheWriteTokens: 1050 },
      reportedCostUsd: null,
    },
  },
  {
    name: 'cost/subagent-missing: the total of all models, and its parts',
    records: [init(), res({ result: 'x', total_cost_usd: 1, modelUsage: models({ main: 0.4, helper: 0.6 }) })],
    outcome: {
      reportedCostUsd: '1',
      reportedByModel: [
        {
          model: 'main',
          usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
          costUsd: '0.4',
        },
        {
          model: 'helper',
          usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
          costUsd: '0.6',
        },
      ],
      reportedUsage: { inputTokens: 2, outputTokens: 4, cacheReadTokens: 6, cacheWriteTokens: 8 },
    },
  },
  {
    name: 'cost/resume-zero: what was spent since the last result, not the session’s total',
    records: [
      init(),
      res({
        result: 'x',
        total_cost_usd: 0.5,
        modelUsage: models({ main: 0.5 }),
        model_usage_since_last_result: models({ main: 0.2 }),
      }),
    ],
    outcome: {
      reportedCostUsd: '0.2',
      reportedUsage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    },
  },
  {
    name: 'cost/float-money: binary noise is no money',
    records: [
      init(),
      res({
        result: 'x',
        model_usage_since_last_result: models({
          a: 0.1,
          b: 0.2,
          c: 0.0028680000000000003,
          d: 1e-11,
          e: -5,
          f: Number.NaN,
        }),
      }),
    ],
    outcome: { reportedCostUsd: '0.302868' },
  },
];
