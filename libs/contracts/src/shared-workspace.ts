import { z } from 'zod';
import { idSchema } from './id';
import { sessionSchema, sessionStatusSchema, visibilitySchema, workspaceKindSchema } from './session';
import { timestampSchema } from './scalar';

const personSchema = z.object({ userId: idSchema('user'), name: z.string() });

/**
 * Who works in a session's files now. All is null where the reader may not see that session: only that it is in use.
 */
export const workspaceUseSchema = z.object({
  session: z.object({ id: idSchema('session'), title: z.string() }).nullable(),
  turnId: idSchema('turn').nullable(),
  by: personSchema.nullable(),
  since: timestampSchema.nullable(),
});
export type WorkspaceUse = z.infer<typeof workspaceUseSchema>;

/** `workspaceUse`: the turn in the files that the session shares, its own one too; null where there is none. */
export const listedSessionSchema = sessionSchema.extend({ workspaceUse: workspaceUseSchema.nullable() });
export type ListedSession = z.infer<typeof listedSessionSchema>;

/** A shared workspace that a turn is live in. */
export const usedWorkspaceSchema = z.object({
  id: idSchema('sharedWorkspace'),
  projectId: idSchema('project'),
  branch: z.string().nullable(),
  use: workspaceUseSchema,
});

/**
 * Whose files a session works in. Of a shared one: the sessions in it that the reader may see, the asked one
 * included.
 */
export const sessionWorkspaceSchema = z.object({
  workspace: workspaceKindSchema,
  /**
   * The project's branch that a shared one began at; null for a session's own, and while no worker has seen the
   * files.
   */
  branch: z.string().nullable(),
  sessions: z.array(
    z.object({
      id: idSchema('session'),
      title: z.string(),
      owner: personSchema,
      visibility: visibilitySchema,
      status: sessionStatusSchema,
      updatedAt: timestampSchema,
    }),
  ),
  inUse: workspaceUseSchema.nullable(),
});
export type SessionWorkspace = z.infer<typeof sessionWorkspaceSchema>;
