import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

/** So many names and subjects are kept of what a session has beyond its project. */
export const UNPUSHED_NAMES = 50;
/**
 * So many commits are kept with their parents, newest first: which of them a remote has is found out when it is
 * asked.
 */
export const UNPUSHED_COMMITS = 500;

/** What a worker saw when it stored a session: files that no commit has, and commits that the project has not. */
export type RecordedWork = {
  files: number;
  names: string[];
  commits: { commit: string; parents: string[]; subject?: string }[];
  commitCount: number;
  stashes: number;
};

/**
 * What exists only in a session. `known`: as its files are now. `earlier`: as they were when they were last stored, and
 * `reason` says what may have changed them since. `unknown`: no one looked yet.
 */
export const unpushedWorkSchema = z.object({
  state: z.enum(['known', 'earlier', 'unknown']),
  reason: z.enum(['turn_running', 'not_stored', 'not_recorded']).nullable(),
  /** Changed files that no commit has; `names` are the first of them. */
  files: z.object({ count: z.number().int().nonnegative(), names: z.array(z.string()) }).nullable(),
  /** Commits that are neither in the project nor pushed; `atLeast`: there may be more. */
  commits: z
    .object({
      count: z.number().int().nonnegative(),
      atLeast: z.boolean(),
      latest: z.array(z.object({ commit: z.string(), subject: z.string() })),
    })
    .nullable(),
  stashes: z.number().int().nonnegative().nullable(),
  at: timestampSchema.nullable(),
});
export type UnpushedWork = z.infer<typeof unpushedWorkSchema>;

/** A session that has such work, or of which that is not known. */
export const sessionWithWorkSchema = z.object({
  sessionId: idSchema('session'),
  title: z.string(),
  work: unpushedWorkSchema,
});
export type SessionWithWork = z.infer<typeof sessionWithWorkSchema>;

/** Of a project: the sessions that one may read, and of how many private ones of others the same holds. */
export const projectWorkSchema = z.object({
  sessions: z.array(sessionWithWorkSchema),
  hidden: z.number().int().nonnegative(),
  hasMore: z.boolean(),
});
export type ProjectWork = z.infer<typeof projectWorkSchema>;
