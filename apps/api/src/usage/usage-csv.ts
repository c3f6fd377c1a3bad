import type { UsageReport } from '@chirality/contracts';
import { csvLines } from '../core/http/csv';

const HEAD = [
  'key',
  'label',
  'turns',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
  'demo',
  'unpriced_messages',
];

/** The rows of the report as RFC 4180, amounts to the last digit, an unknown one empty. No cell can act as a formula in a spreadsheet. */
export function usageCsvRows({ data }: UsageReport): string {
  const rows = data.map(({ key, label, turns, usage, costUsd, demo, unpricedMessages }) => [
    key,
    label,
    turns,
    usage.inputTokens,
    usage.outputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    costUsd ?? '',
    demo,
    unpricedMessages,
  ]);
  return csvLines(rows);
}

/** The line above the rows. */
export const usageCsvHead = csvLines([HEAD]);
