import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

export const auditEntrySchema = z.object({
  id: idSchema('audit'),
  at: timestampSchema,
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  action: z.string(),
  object: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
