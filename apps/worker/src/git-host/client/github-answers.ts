import { z } from 'zod';
import { hostUrlSchema } from './read-as';

/** As much of GitHub's answers as is used, each member as untrusted as the next. */
const user = z.object({ login: z.string() }).nullish();

export const repositorySchema = z.object({ default_branch: z.string() });
export const collaboratorsSchema = z.array(z.object({ login: z.string() }));

export const pullSchema = z.object({
  number: z.number().int().positive(),
  html_url: hostUrlSchema,
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  head: z.object({ sha: z.string() }),
});
export type GitHubPull = z.infer<typeof pullSchema>;

const checkRunSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
  details_url: z.string().nullish(),
  app: z.object({ slug: z.string().nullish() }).nullish(),
  output: z
    .object({ title: z.string().nullish(), summary: z.string().nullish(), text: z.string().nullish() })
    .nullish(),
});
export type GitHubCheckRun = z.infer<typeof checkRunSchema>;
export const checkRunsSchema = z.object({ check_runs: z.array(checkRunSchema) });

export const statusesSchema = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      target_url: z.string().nullish(),
      description: z.string().nullish(),
    }),
  ),
});

export const reviewsSchema = z.array(
  z.object({ id: z.number().int(), user, body: z.string().nullish(), state: z.string() }),
);

/** `line` is null where the lines have changed since; absent in answers of old servers. */
export const reviewCommentsSchema = z.array(
  z.object({
    id: z.number().int(),
    user,
    path: z.string(),
    line: z.number().nullish(),
    original_line: z.number().nullish(),
    body: z.string(),
  }),
);

export const commentsSchema = z.array(z.object({ id: z.number().int(), user, body: z.string().nullish() }));
