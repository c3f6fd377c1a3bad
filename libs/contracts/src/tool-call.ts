import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

/** What a person says of a call with an unknown outcome: it succeeded, it failed, or it must not be repeated. */
export const toolVerdictSchema = z.enum(['failed', 'succeeded', 'abort']);
export type ToolVerdict = z.infer<typeof toolVerdictSchema>;

export const toolOutcomeRequestSchema = z.strictObject({
  outcome: toolVerdictSchema,
  note: z.string().max(4_000).optional(),
});
export type ToolOutcomeRequest = z.infer<typeof toolOutcomeRequestSchema>;

/** A call of an ended turn that may have changed something and whose outcome is unknown. */
export const openToolCallSchema = z.object({
  turnId: idSchema('turn'),
  toolUseId: z.string(),
  name: z.string(),
  input: z.unknown(),
  startedAt: timestampSchema,
});
export type OpenToolCall = z.infer<typeof openToolCallSchema>;
