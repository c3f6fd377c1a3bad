import { z } from 'zod';
import { idSchema } from './id';
import { keyScopeSchema } from './key';
import { timestampSchema } from './scalar';

/** `token`: over https, with a user name where the host wants one. `ssh`: a pair of keys that is made here. */
export const gitAccountKindSchema = z.enum(['token', 'ssh']);
export type GitAccountKind = z.infer<typeof gitAccountKindSchema>;

/** What signs in to one git host, without its secret, which no route ever answers. */
export const gitAccountSchema = z.object({
  id: idSchema('gitAccount'),
  scope: keyScopeSchema,
  /** Null of a user's account, which is theirs in every team. */
  teamId: idSchema('team').nullable(),
  /** In lower case; with its port where that is not the usual one. */
  host: z.string(),
  kind: gitAccountKindSchema,
  username: z.string().nullable(),
  /** Of the kind `ssh`: the line to add at the host, and its fingerprint. */
  publicKey: z.string().optional(),
  fingerprint: z.string().optional(),
  createdBy: z.object({ userId: idSchema('user'), name: z.string() }),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  /** Why the host refused it when it was last tried; null when it did not. */
  lastError: z.object({ at: timestampSchema, text: z.string() }).nullable(),
});
export type GitAccount = z.infer<typeof gitAccountSchema>;

/** `secret`: the token of the kind `token`; the kind `ssh` takes none. */
export const createGitAccountSchema = z.strictObject({
  scope: keyScopeSchema,
  host: z.string().trim().min(1, 'Enter a host.').max(300),
  kind: gitAccountKindSchema,
  username: z.string().trim().max(200).optional(),
  secret: z.string().max(20_000).optional(),
  teamId: z.string().optional(),
  /** A repository at the host, with which a token is tested once it is saved. */
  url: z.string().trim().min(1).max(2_000).optional(),
});
export type CreateGitAccount = z.infer<typeof createGitAccountSchema>;

export const gitAccountQuerySchema = z.object({ teamId: z.string().optional() });
export const gitAccountListSchema = z.object({ data: z.array(gitAccountSchema), nextCursor: z.null() });
export type GitAccountList = z.infer<typeof gitAccountListSchema>;

/** `teamId`: of the team whose pinned host keys count, for a user in several. */
export const testGitAccountSchema = z.strictObject({
  url: z.string().min(1).max(2_000),
  teamId: z.string().optional(),
});
export type TestGitAccount = z.infer<typeof testGitAccountSchema>;

/** `truncated`: there are more branches than are listed. `defaultBranch` is null where the host names none. */
export const gitBranchesSchema = z.object({
  branches: z.array(z.string()),
  defaultBranch: z.string().nullable(),
  truncated: z.boolean().optional(),
});
export type GitBranches = z.infer<typeof gitBranchesSchema>;

/** The key by which an ssh host proved itself at first use. */
export const gitHostKeySchema = z.object({
  id: idSchema('gitHostKey'),
  teamId: idSchema('team'),
  host: z.string(),
  keys: z.array(z.object({ type: z.string(), fingerprint: z.string() })),
  pinnedAt: timestampSchema,
});
export type GitHostKey = z.infer<typeof gitHostKeySchema>;
export const gitHostKeyListSchema = z.object({ data: z.array(gitHostKeySchema), nextCursor: z.null() });
export type GitHostKeyList = z.infer<typeof gitHostKeyListSchema>;

/** What came of the test while an account was saved: it stays either way. */
export const savedGitAccountSchema = gitAccountSchema.extend({
  test: z
    .union([
      z.object({ isAccepted: z.literal(true), branches: z.number().int(), defaultBranch: z.string().nullable() }),
      z.object({ isAccepted: z.literal(false), code: z.string(), detail: z.string() }),
    ])
    .optional(),
});
export type SavedGitAccount = z.infer<typeof savedGitAccountSchema>;
