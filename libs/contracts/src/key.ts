import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

/** Whose key it is: shared by the whole team, or one user's for their own turns in that team alone. */
export const keyScopeSchema = z.enum(['team', 'user']);
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** Which key a turn is billed to: its author's, the team's or the installation's; `demo` is not billed. */
export const paidBySchema = z.enum(['user', 'team', 'service', 'demo']);
export type PaidBy = z.infer<typeof paidBySchema>;

/** A key of the model's service, without its value, which no route ever answers. */
export const modelKeySchema = z.object({
  id: idSchema('key'),
  teamId: idSchema('team'),
  scope: keyScopeSchema,
  /** Its last four characters; null for one that is too short to show any. */
  hint: z.string().nullable(),
  createdBy: z.object({ userId: idSchema('user'), name: z.string() }),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  /** Why it could not be used when it was last tried; null when it could. */
  lastError: z.object({ at: timestampSchema, text: z.string() }).nullable(),
});
export type ModelKey = z.infer<typeof modelKeySchema>;

/** The form of the value is checked by the service, whose refusal does not quote it. */
export const createModelKeySchema = z.strictObject({
  scope: keyScopeSchema,
  value: z.string().min(1, 'Paste the key.').max(20_000),
  teamId: z.string().optional(),
});
export const modelKeyQuerySchema = z.object({ teamId: z.string().optional() });
/** `paidBy`: who would pay, as things are, for a turn that the caller sends in each of their teams. */
export const modelKeyListSchema = z.object({
  data: z.array(modelKeySchema),
  nextCursor: z.null(),
  paidBy: z.record(z.string(), paidBySchema),
});
export type ModelKeyList = z.infer<typeof modelKeyListSchema>;
