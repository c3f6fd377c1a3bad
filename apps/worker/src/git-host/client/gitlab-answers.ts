import { z } from 'zod';
import { hostUrlSchema } from './read-as';

/** As much of GitLab's answers as is used. */
export const projectSchema = z.object({ default_branch: z.string() });

export const membersSchema = z.array(
  z.object({
    id: z.number().int(),
    username: z.string(),
    name: z.string(),
    state: z.string(),
    access_level: z.number(),
  }),
);

export const mergeRequestSchema = z.object({
  iid: z.number().int().positive(),
  web_url: hostUrlSchema,
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  work_in_progress: z.boolean().nullish(),
  sha: z.string().nullish(),
  /** Another one than the target's where it comes from a fork; null where the fork is gone or hidden. */
  source_project_id: z.number().int().nullish(),
  target_project_id: z.number().int().nullish(),
  reviewers: z.array(z.object({ username: z.string() })).nullish(),
});

export type GitlabMergeRequest = z.infer<typeof mergeRequestSchema>;

/** `allow_failure`: it may fail without stopping what comes after it. */
export const commitStatusesSchema = z.array(
  z.object({
    id: z.number().int(),
    name: z.string(),
    status: z.string(),
    allow_failure: z.boolean().nullish(),
    target_url: z.string().nullish(),
    description: z.string().nullish(),
  }),
);

const noteSchema = z.object({
  id: z.number().int(),
  body: z.string(),
  author: z.object({ username: z.string() }).nullish(),
  system: z.boolean().nullish(),
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      new_line: z.number().nullish(),
      old_line: z.number().nullish(),
    })
    .nullish(),
});
export type GitlabNote = z.infer<typeof noteSchema>;
export const discussionsSchema = z.array(z.object({ notes: z.array(noteSchema) }));
