import { z } from 'zod';
import { knownCostShape, moneySchema, pageQuerySchema, timestampSchema, tokenUsageSchema } from './scalar';

export const usageGroupSchema = z.enum([
  'user',
  'project',
  'persona',
  'model',
  'session',
  'turn',
  'day',
  'week',
  'month',
]);
export type UsageGroup = z.infer<typeof usageGroupSchema>;
/** Grouped by session or turn a report comes in pages; otherwise it comes whole. */
export const usageQuerySchema = pageQuerySchema.extend({
  groupBy: usageGroupSchema.default('day'),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  timezone: z.string().max(64).optional(),
  teamId: z.string().optional(),
  projectId: z.string().optional(),
  format: z.enum(['json', 'csv']).default('json'),
});
/** What the amounts of a chart are stacked by. */
export const usageStackSchema = z.enum(['user', 'project', 'model']);
export type UsageStack = z.infer<typeof usageStackSchema>;
export const usageSeriesQuerySchema = usageQuerySchema
  .pick({ from: true, to: true, timezone: true, teamId: true, projectId: true })
  .extend({
    stackBy: usageStackSchema.default('user'),
  });
/**
 * What was spent over time, for a chart. Without demo usage; messages without a price are counted and in no amount.
 */
export const usageSeriesSchema = z.object({
  /** How long a period is: a day, or a month where the range has very many days. */
  interval: z.enum(['day', 'month']),
  /** Who or what spent most, most first; with key null all others together. */
  series: z.array(z.object({ key: z.string().nullable(), label: z.string(), costUsd: moneySchema })),
  /** Every period of the range in order, also those without usage. `costs` are in the order of `series`. */
  periods: z.array(
    z.object({ key: z.string(), costs: z.array(moneySchema), unpricedMessages: z.number().int().nonnegative() }),
  ),
});
export type UsageSeries = z.infer<typeof usageSeriesSchema>;
const usageRowSchema = z.object({
  key: z.string(),
  label: z.string(),
  /** Turns whose first message was in the range; by model, once for each of a turn's models; by turn always 1. */
  turns: z.number().int(),
  usage: tokenUsageSchema,
  ...knownCostShape,
  /** Tokens of the built-in demo model: shown apart, in no total. */
  demo: z.boolean(),
});
/** `totalUsd`, `totalTurns` and `unpricedMessages` are of the whole range, whatever page is read. */
export const usageReportSchema = z.object({
  data: z.array(usageRowSchema),
  /** At least this much while `unpricedMessages` is not 0. */
  totalUsd: moneySchema,
  totalTurns: z.number().int().nonnegative(),
  unpricedMessages: z.number().int().nonnegative(),
  nextCursor: z.string().nullable(),
});
export type UsageReport = z.infer<typeof usageReportSchema>;

/** US dollars per million tokens, and per web search, from a date on. */
export const priceSchema = z.object({
  model: z.string(),
  effectiveFrom: timestampSchema,
  input: moneySchema,
  output: moneySchema,
  cacheRead: moneySchema,
  cacheWrite5m: moneySchema,
  cacheWrite1h: moneySchema,
  webSearch: moneySchema,
});
export type Price = z.infer<typeof priceSchema>;

const amountSchema = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,10})?$/, 'must be a decimal amount of US dollars, from 0 to 999999');
/** A price as it may be set: what it makes a message cost can be stored, and is nothing that budgets would win by. */
export const newPriceSchema = z.strictObject({
  model: z.string().trim().min(1).max(200),
  effectiveFrom: timestampSchema.refine((at) => at >= '1970', 'must not be before 1970'),
  input: amountSchema,
  output: amountSchema,
  cacheRead: amountSchema,
  cacheWrite5m: amountSchema,
  cacheWrite1h: amountSchema,
  webSearch: amountSchema,
});
