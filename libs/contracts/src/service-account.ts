import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { nameSchema } from './team';

/**
 * A member of a team that is no person: it has no password, and acts by tokens of the class `agent` alone. Its id is
 * that of a user, which turns, usage, budgets and the audit log name.
 */
export const serviceAccountSchema = z.object({
  id: idSchema('user'),
  teamId: idSchema('team'),
  name: z.string(),
  /** The member who answers for it; null after they left, which suspends it until another one is named. */
  owner: z.object({ userId: idSchema('user'), name: z.string() }).nullable(),
  createdBy: z.object({ userId: idSchema('user'), name: z.string() }),
  createdAt: timestampSchema,
  /** Whether its turns are billed to its own key. */
  hasOwnKey: z.boolean(),
  /** Of its tokens, how many are in force, and when one was last used. */
  tokens: z.number().int().nonnegative(),
  lastUsedAt: timestampSchema.nullable(),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

export const listServiceAccountsQuerySchema = z.object({ teamId: z.string().optional() });

/** `ownerId`: another member than the caller, who is no viewer. */
export const createServiceAccountSchema = z.strictObject({
  teamId: z.string(),
  name: nameSchema,
  ownerId: z.string().optional(),
});
export type CreateServiceAccount = z.infer<typeof createServiceAccountSchema>;

/** What is not named stays. `key`: of the model's service, for its turns alone; null removes it. */
export const updateServiceAccountSchema = z.strictObject({
  name: nameSchema.optional(),
  ownerId: z.string().optional(),
  key: z.string().min(1, 'Paste the key.').max(20_000).nullable().optional(),
});
export type UpdateServiceAccount = z.infer<typeof updateServiceAccountSchema>;
