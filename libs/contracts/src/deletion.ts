import { z } from 'zod';
import { idSchema } from './id';
import { pageQuerySchema, timestampSchema } from './scalar';
import { unpushedWorkSchema } from './unpushed';

/** So long a deleted session or project can be restored. */
export const DELETED_KEPT_DAYS = 30;

/** A session or project that was deleted and can be restored until `goneAt`. */
export const deletionSchema = z.object({
  kind: z.enum(['session', 'project']),
  id: z.union([idSchema('session'), idSchema('project')]),
  teamId: idSchema('team'),
  projectId: idSchema('project'),
  /** A session's title or a project's name. */
  name: z.string(),
  projectName: z.string(),
  deletedAt: timestampSchema,
  deletedBy: z.object({ userId: z.string(), name: z.string() }),
  goneAt: timestampSchema,
  /** Of a session, what exists only in it. */
  work: unpushedWorkSchema.nullable(),
});
export type Deletion = z.infer<typeof deletionSchema>;

export const listDeletionsQuerySchema = pageQuerySchema.extend({
  teamId: z.string().optional(),
  /** The sessions of one project. */
  projectId: z.string().optional(),
});
