import type { Price } from '@chirality/contracts';

// The table comes from the costs that claude-code 2.1.332 itself reports for requests of known usage (2026-11-27).

/** Before any usage that this service can have recorded. */
const SINCE = '2024-01-01T00:00:00.000Z';
const WEB_SEARCH = '0.01';

type Row = readonly [
  model: string,
  input: string,
  output: string,
  cacheRead: string,
  cacheWrite5m: string,
  cacheWrite1h: string,
];

/** US dollars per million tokens. A family's own row is its newest model's; `>N` is for prompts of more than N tokens. */
const ROWS: readonly Row[] = [
  ['opus', '4', '20', '0.2', '5', '8'],
  ['claude-opus-5-5', '4', '20', '0.2', '5', '8'],
  ['claude-opus-5', '5', '25', '0.5', '6.25', '10'],
  ['claude-opus-4-8', '5', '25', '0.5', '6.25', '10'],
  ['claude-opus-4-7', '5', '25', '0.5', '6.25', '10'],
  ['claude-opus-4-6', '5', '25', '0.5', '6.25', '10'],
  ['claude-opus-4-5', '5', '25', '0.5', '6.25', '10'],
  ['claude-opus-4-1', '15', '75', '1.5', '18.75', '30'],
  ['sonnet', '2', '10', '0.1', '2.5', '4'],
  ['claude-sonnet-5-5', '2', '10', '0.1', '2.5', '4'],
  ['claude-sonnet-5', '2', '10', '0.2', '2.5', '4'],
  ['claude-sonnet-4-6', '3', '15', '0.3', '3.75', '6'],
  ['claude-sonnet-4-5', '3', '15', '0.3', '3.75', '6'],
  ['claude-sonnet-4-0', '3', '15', '0.3', '3.75', '6'],
  ['claude-sonnet-4', '3', '15', '0.3', '3.75', '6'],
  ['claude-3-7-sonnet', '3', '15', '0.3', '3.75', '6'],
  ['claude-3-5-sonnet', '3', '15', '0.3', '3.75', '6'],
  ['haiku', '0.1', '0.5', '0.01', '0.125', '0.2'],
  ['haiku >100000', '0.5', '2.5', '0.05', '0.625', '1'],
  ['claude-haiku-5-5', '0.1', '0.5', '0.01', '0.125', '0.2'],
  ['claude-haiku-5-5 >100000', '0.5', '2.5', '0.05', '0.625', '1'],
  ['claude-haiku-4-5', '1', '5', '0.1', '1.25', '2'],
  ['claude-3-5-haiku', '0.8', '4', '0.08', '1', '1.6'],
  ['fable', '8', '40', '0.2', '10', '16'],
  ['claude-fable-5-2', '8', '40', '0.2', '10', '16'],
  ['claude-fable-5-1', '10', '50', '0.25', '12.5', '20'],
  ['claude-fable-5', '10', '50', '1', '12.5', '20'],
  ['mythos', '8', '40', '0.2', '10', '16'],
  ['claude-mythos-5-2', '8', '40', '0.2', '10', '16'],
  ['claude-mythos-5-1', '10', '50', '0.25', '12.5', '20'],
  ['claude-mythos-5', '10', '50', '1', '12.5', '20'],
];

/** The list prices that a new installation starts with; its owner may add newer rows. */
export const DEFAULT_PRICES: readonly Price[] = ROWS.map(
  ([model, input, output, cacheRead, cacheWrite5m, cacheWrite1h]) => ({
    model,
    effectiveFrom: SINCE,
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    webSearch: WEB_SEARCH,
  }),
);
