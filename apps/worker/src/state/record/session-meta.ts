import { z } from 'zod';

/**
 * What a worker's disk knows of its copy of a session. `clean`: as version `stateVersion`. `dirty`: an attempt may be
 * writing to it, or was when its worker died. `unstored`: the attempt is over and what it left is newer than
 * `stateVersion`. `stale`: to be thrown away.
 */
export const sessionMetaSchema = z.object({
  format: z.literal(1),
  sessionId: z.string(),
  projectId: z.string(),
  /** `shared`: the files are those of the shared workspace, and this is the conversation alone. */
  workspace: z.enum(['own', 'shared']),
  sharedWorkspaceId: z.string().nullable().default(null),
  condition: z.enum(['clean', 'dirty', 'unstored', 'stale']),
  stateVersion: z.number().int().nonnegative(),
  /** The attempt that last wrote to the copy, as its fence; decimal, since JSON has no bigint. */
  fence: z.string().regex(/^\d+$/).nullable(),
  attempt: z.number().int().nullable(),
  /** The workspace may differ from that of `stateVersion`. */
  workspaceChanged: z.boolean(),
  /** The conversation that was the session's when the copy was last settled or built. */
  claudeSessionId: z.string().nullable(),
  /** The tree of the files when the running or last attempt began. */
  turnTree: z.string(),
});
export type SessionMeta = z.infer<typeof sessionMetaSchema>;

/** What a worker's disk knows of a workspace, which several sessions may share. */
export const workspaceMetaSchema = z.object({
  format: z.literal(1),
  branch: z.string(),
  baseCommit: z.string(),
  /** The tree of the files when they were last looked at. */
  tree: z.string(),
});
export type WorkspaceMeta = z.infer<typeof workspaceMetaSchema>;
