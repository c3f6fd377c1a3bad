import { z } from 'zod';
import { timestampSchema } from './scalar';

/**
 * How a session stands to the commit that new sessions of its project start from. `conflicts` are the files that a
 * merge left for someone to resolve.
 */
export const sessionBaseSchema = z.object({
  /** Where the session's own work begins. */
  commit: z.string(),
  projectCommit: z.string(),
  /** The project's branch. */
  branch: z.string(),
  /** Commits of the project that the session lacks, and commits that it has beyond them. */
  behind: z.number().int().nonnegative(),
  ahead: z.number().int().nonnegative(),
  isMerging: z.boolean(),
  conflicts: z.array(z.string()),
  /** The last merge can be undone as a whole. */
  mayUndo: z.boolean(),
});
export type SessionBase = z.infer<typeof sessionBaseSchema>;
export const baseRequestSchema = z.strictObject({ act: z.enum(['merge', 'abort']) });
export type BaseRequest = z.infer<typeof baseRequestSchema>;
/** With `conflicts` the code is GIT_CONFLICT, and `message` is one that can be sent to Claude. */
export const baseAnswerSchema = z.object({
  outcome: z.enum(['merged', 'up_to_date', 'conflicts', 'undone']),
  code: z.literal('GIT_CONFLICT').nullable(),
  message: z.string().nullable(),
  base: sessionBaseSchema,
});
export type BaseAnswer = z.infer<typeof baseAnswerSchema>;
/** Without `branch` the one that the session pushed to before, or one that the project's pattern names. */
export const pushRequestSchema = z.strictObject({
  branch: z.string().min(1).max(200).optional(),
  /** Replaces what the remote's branch has, while that is what this session last pushed there. */
  force: z.literal('with-lease').optional(),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;
/** What the remote has after the push. `createUrl`: where a pull or merge request can be opened. */
export const pushAnswerSchema = z.object({
  branch: z.string(),
  commit: z.string(),
  remote: z.string(),
  createUrl: z.string().optional(),
});
export type PushAnswer = z.infer<typeof pushAnswerSchema>;
/** The branch that a push would go to, and the last one that was made; null before that. */
export const pushStateSchema = z.object({
  branch: z.string(),
  remote: z.string().nullable(),
  last: pushAnswerSchema.extend({ at: timestampSchema }).nullable(),
});
export type PushState = z.infer<typeof pushStateSchema>;
