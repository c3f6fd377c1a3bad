import { z } from 'zod';

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestampSchema = z.iso.datetime({ precision: 3 });

/** US dollars as a decimal string, never a float: up to ten digits after the point, e.g. "0.001234". */
export const moneySchema = z.string().regex(/^-?\d+(\.\d{1,10})?$/, 'must be a decimal amount of US dollars');

/** What is known of a cost. `costUsd` is the sum of what has a price, and null, never "0", where nothing of it has one. */
export const knownCostShape = {
  costUsd: moneySchema.nullable(),
  /** Messages of models that had no price, which are missing from `costUsd`: while there are any it is "at least". */
  unpricedMessages: z.number().int().nonnegative(),
};

export const durationMsSchema = z.number().int().nonnegative();

/**
 * The most tokens of one kind that one message or reported result can have: a thousand times what a large turn uses, and
 * small enough that the sum of 9,000 such counts is still an exact JSON number. A larger count is not believed.
 */
export const MAX_TOKEN_COUNT = 1_000_000_000_000;

/** Token counts as the model's service reports them. */
export const tokenUsageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

export const EMPTY_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const identityClassSchema = z.enum(['human', 'agent']);
export type IdentityClass = z.infer<typeof identityClassSchema>;

/** Every list answers a page of rows and the cursor of the next one; null when there is none. */
export function pageSchema<T extends z.ZodType>(row: T) {
  return z.object({ data: z.array(row), nextCursor: z.string().nullable() });
}
export type Page<T> = { data: T[]; nextCursor: string | null };

export const pageQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
