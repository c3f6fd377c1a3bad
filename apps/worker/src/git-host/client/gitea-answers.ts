import { z } from 'zod';
import { hostUrlSchema } from './read-as';

/** As much of Gitea's and Forgejo's answers as is used. They write `null` for an empty list. */
const listOf = <T extends z.ZodType>(row: T) => z.preprocess((rows) => rows ?? [], z.array(row));
const user = z.object({ login: z.string() }).nullish();

export const repositorySchema = z.object({ default_branch: z.string() });
export const reviewersSchema = listOf(z.object({ login: z.string(), full_name: z.string().nullish() }));

export const pullSchema = z.object({
  number: z.number().int().positive(),
  html_url: hostUrlSchema,
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
});
export type GiteaPull = z.infer<typeof pullSchema>;
export const pullsSchema = listOf(pullSchema);

export const combinedStatusSchema = z.object({
  statuses: z
    .array(
      z.object({
        context: z.string(),
        status: z.string(),
        target_url: z.string().nullish(),
        description: z.string().nullish(),
      }),
    )
    .nullish(),
});

export const runsSchema = z.object({ workflow_runs: z.array(z.object({ id: z.number().int() })).nullish() });
export const jobsSchema = z.object({
  jobs: z.array(z.object({ id: z.number().int(), name: z.string(), conclusion: z.string().nullish() })).nullish(),
});

export const reviewsSchema = listOf(
  z.object({
    id: z.number().int(),
    user,
    body: z.string().nullish(),
    state: z.string(),
    dismissed: z.boolean().nullish(),
    comments_count: z.number().nullish(),
  }),
);

export const reviewCommentsSchema = listOf(
  z.object({
    id: z.number().int(),
    user,
    path: z.string(),
    position: z.number().nullish(),
    original_position: z.number().nullish(),
    body: z.string(),
    resolver: user,
  }),
);

export const commentsSchema = listOf(z.object({ id: z.number().int(), user, body: z.string().nullish() }));
