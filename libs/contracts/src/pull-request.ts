import { z } from 'zod';
import { timestampSchema } from './scalar';

/** Whose API a git host speaks. Forgejo speaks Gitea's. */
export const gitHostKindSchema = z.enum(['github', 'gitlab', 'gitea']);
export type GitHostKind = z.infer<typeof gitHostKindSchema>;

const pullRequestStateSchema = z.enum(['open', 'closed', 'merged']);

export const checkStatusSchema = z.enum(['waiting', 'running', 'passed', 'failed', 'cancelled', 'skipped']);
export type CheckStatus = z.infer<typeof checkStatusSchema>;

/** `logTail`: the last lines of a failed check's log, where the host gives them out. */
export const pullRequestCheckSchema = z.object({
  name: z.string(),
  status: checkStatusSchema,
  url: z.string().nullable(),
  logTail: z.string().optional(),
});
export type PullRequestCheck = z.infer<typeof pullRequestCheckSchema>;

/** A comment, or the verdict of a review. `outdated`: the lines that it is about have changed since. */
export const pullRequestReviewSchema = z.object({
  id: z.string(),
  author: z.string(),
  path: z.string().optional(),
  line: z.number().int().positive().optional(),
  body: z.string(),
  state: z.enum(['commented', 'approved', 'changes_requested', 'dismissed', 'resolved', 'outdated']),
});
export type PullRequestReview = z.infer<typeof pullRequestReviewSchema>;

/** What a host says of a pull request, cut and without control characters. */
export const pullRequestReadingSchema = z.object({
  title: z.string(),
  state: pullRequestStateSchema,
  draft: z.boolean(),
  checks: z.array(pullRequestCheckSchema),
  reviews: z.array(pullRequestReviewSchema),
});
export type PullRequestReading = z.infer<typeof pullRequestReadingSchema>;

/** Codes of failures to read it that hang on the account of who asks: another person may be shown it. */
export const REFUSALS_OF_ACCOUNT: ReadonlySet<string> = new Set([
  'GIT_AUTH_FAILED',
  'GIT_NOT_FOUND',
  'HARNESS_FAILURE',
]);

/** `readAt`: when the host was last asked; `readError` says why that did not succeed. */
export const pullRequestSchema = pullRequestReadingSchema.extend({
  number: z.number().int().positive(),
  url: z.string(),
  kind: gitHostKindSchema,
  base: z.string(),
  head: z.string(),
  openedBy: z.object({ userId: z.string(), name: z.string() }),
  /** What the host did not do when it was opened, such as asking a reviewer. */
  notice: z.string().nullable(),
  readAt: timestampSchema.nullable(),
  readError: z.string().nullable(),
});
export type PullRequest = z.infer<typeof pullRequestSchema>;

const branchSchema = z.string().trim().min(1).max(250);
const reviewerSchema = z.string().trim().min(1).max(100);

/** Half a surrogate pair is no text that a database holds. */
const wellFormed = (text: string) => text.toWellFormed();

export const openPullRequestSchema = z.strictObject({
  title: z.string().trim().min(1).max(250).overwrite(wellFormed),
  body: z.string().max(60_000).overwrite(wellFormed).default(''),
  /** Without it the repository's default branch. */
  base: branchSchema.optional(),
  /** A branch of the repository; without it the one that the session was last pushed to. */
  head: branchSchema.optional(),
  draft: z.boolean().default(false),
  reviewers: z.array(reviewerSchema).max(20).default([]),
});
export type OpenPullRequest = z.infer<typeof openPullRequestSchema>;
/** What an attempt opens: the branch, and what the person wrote. */
export type PullRequestToOpen = OpenPullRequest & { head: string };

/** `opening` until the host has answered. */
export type PullRequestStatus = 'opening' | 'opened' | 'failed';

/** `notice`: what the host did not do although it opened it, such as asking a reviewer. */
export const openedPullRequestSchema = z.object({
  number: z.number().int().positive(),
  url: z.string(),
  state: pullRequestStateSchema,
  notice: z.string().optional(),
});
export type OpenedPullRequest = z.infer<typeof openedPullRequestSchema>;

/** What the dialog offers before one is opened. `head` is null until the session's branch was pushed. */
export const pullRequestOptionsSchema = z.object({
  host: z.string(),
  kind: gitHostKindSchema,
  base: z.string(),
  head: z.string().nullable(),
  /** People whom the host lets be asked; none where its API does not list them. */
  reviewers: z.array(z.object({ name: z.string(), displayName: z.string().nullable() })),
});
export type PullRequestOptions = z.infer<typeof pullRequestOptionsSchema>;

/** Names of checks and ids of reviews. */
export const sendPullRequestSchema = z
  .strictObject({
    checks: z.array(z.string().max(500)).max(100).default([]),
    reviews: z.array(z.string().max(100)).max(200).default([]),
  })
  .refine(({ checks, reviews }) => checks.length + reviews.length > 0, 'choose a check or a comment');
export type SendPullRequest = z.infer<typeof sendPullRequestSchema>;

/** What a worker asks of a git host for a session; what is to be opened stands in the row of the attempt. */
export const pullRequestJobSchemas = [
  z.object({ act: z.literal('pull-request-options'), teamId: z.string(), sessionId: z.string(), userId: z.string() }),
  z.object({
    act: z.literal('open-pull-request'),
    teamId: z.string(),
    sessionId: z.string(),
    pullRequestId: z.string(),
    attempt: z.number().int(),
  }),
  z.object({
    act: z.literal('read-pull-request'),
    teamId: z.string(),
    sessionId: z.string(),
    pullRequestId: z.string(),
    userId: z.string(),
  }),
] as const;
export type PullRequestJob = z.infer<(typeof pullRequestJobSchemas)[number]>;

export const pullRequestReplySchemas = [
  z.object({ act: z.literal('pull-request-options'), options: pullRequestOptionsSchema.omit({ head: true }) }),
  z.object({ act: z.literal('open-pull-request'), opened: openedPullRequestSchema }),
  /** What was read is in the database. */
  z.object({ act: z.literal('read-pull-request') }),
] as const;
