import { z } from 'zod';
import { idSchema } from './id';
import { gitHostKindSchema } from './pull-request';
import { timestampSchema } from './scalar';

/** Where a project's git host says that something about its pull requests has changed. Its secret is shown once. */
export const gitWebhookSchema = z.object({
  id: idSchema('gitWebhook'),
  projectId: idSchema('project'),
  /** To be entered at the host. */
  url: z.string(),
  createdBy: z.object({ userId: z.string(), name: z.string() }),
  createdAt: timestampSchema,
  /** When the secret was made that is in force. */
  secretSince: timestampSchema,
  lastDelivery: z.object({ at: timestampSchema, host: gitHostKindSchema, event: z.string() }).nullable(),
  lastFailure: z.object({ at: timestampSchema, text: z.string() }).nullable(),
});
export type GitWebhook = z.infer<typeof gitWebhookSchema>;

/** Null where none is set up. */
export const projectGitWebhookSchema = z.object({ webhook: gitWebhookSchema.nullable() });
export type ProjectGitWebhook = z.infer<typeof projectGitWebhookSchema>;

/** The only answer that has the secret. */
export const newGitWebhookSchema = z.object({ webhook: gitWebhookSchema, secret: z.string() });
export type NewGitWebhook = z.infer<typeof newGitWebhookSchema>;

/** `repeated`: the delivery was here before, and nothing was done. */
export const gitWebhookReceiptSchema = z.object({ outcome: z.enum(['noted', 'repeated']) });
export type GitWebhookReceipt = z.infer<typeof gitWebhookReceiptSchema>;

/** The most that one delivery may have. */
export const GIT_WEBHOOK_LIMIT_BYTES = 2 * 1024 ** 2;
