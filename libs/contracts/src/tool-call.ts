import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

/** What a person says of a tool whose end nobody saw: it did its work, it did not, or it is not to be repeated. */
export const toolVerdictSchema = z.enum(['failed', 'succeeded', 'abort']);
export type ToolVerdict = z.infer<typeof toolVerdictSchema>;

export const toolOutcomeRequestSchema = z.strictObject({
  outcome: toolVerdictSchema,
  note: z.string().max(4_000).optional(),
});
export type ToolOutcomeRequest = z.infer<typeof toolOutcomeRequestSchema>;

/** A call that may have changed something, of a turn that is over, and of which nobody knows the end. */
export const openToolCallSchema = z.object({
  turnId: idSchema('turn'),
  toolUseId: z.string(),
  name: z.string(),
  input: z.unknown(),
  startedAt: timestampSchema,
});
export type OpenToolCall = z.infer<typeof openToolCallSchema>;
