import { z } from 'zod';
import { gitBranchesSchema } from './git-account';
import { resolvedPersonaSchema } from './persona';
import { baseAnswerSchema, baseRequestSchema, pushAnswerSchema, sessionBaseSchema } from './remote';
import {
  commitListSchema,
  diffQuerySchema,
  diffSchema,
  fileContentSchema,
  fileListSchema,
  filePatchQuerySchema,
  filePatchSchema,
  projectFileListSchema,
  writtenFileSchema,
} from './workspace';
import { pullRequestJobSchemas, pullRequestReplySchemas } from './pull-request';
import { promptCutSchema, promptSectionSchema } from './prompt';
import { sessionModeSchema } from './session';
import type { ResolvedOptions } from './turn-options';

/** A turn job is only a wake-up: the claim in Postgres chooses the row. */
export const turnWakeJobSchema = z.object({ turnId: z.string() });

/** What is sent out of a workspace: a file, a directory as an archive, or what is changed in it. */
export const wantedDownloadSchema = z.discriminatedUnion('form', [
  z.object({ form: z.literal('file'), path: z.string() }),
  z.object({ form: z.literal('directory'), path: z.string(), archive: z.enum(['zip', 'tar.gz']) }),
  z.object({ form: z.literal('patch'), query: diffQuerySchema }),
  z.object({ form: z.literal('changes'), query: diffQuerySchema, archive: z.enum(['zip', 'tar.gz']) }),
]);
export type WantedDownload = z.infer<typeof wantedDownloadSchema>;

/** What a worker does to a workspace on behalf of the api. */
export const workspaceJobSchema = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('list-files'),
    sessionId: z.string(),
    path: z.string(),
    cursor: z.string().optional(),
    find: z.string().optional(),
  }),
  z.object({ act: z.literal('read-file'), sessionId: z.string(), path: z.string() }),
  z.object({ act: z.literal('diff'), sessionId: z.string(), query: diffQuerySchema }),
  z.object({ act: z.literal('file-patch'), sessionId: z.string(), query: filePatchQuerySchema }),
  z.object({ act: z.literal('list-commits'), sessionId: z.string(), skip: z.number().int().nonnegative() }),
  z.object({
    act: z.literal('commit'),
    sessionId: z.string(),
    message: z.string(),
    paths: z.array(z.string()).optional(),
    author: z.object({ name: z.string(), email: z.string() }),
  }),
  /** The bytes come by the relay of that id, in the store that both use. */
  z.object({
    act: z.literal('open-download'),
    sessionId: z.string(),
    /** Who asks: a person may have only some of a worker's places. */
    userId: z.string(),
    relay: z.string(),
    wanted: wantedDownloadSchema,
  }),
  /**
   * The bytes lie in the store under that key. `expected`: what is there now, `null` for no file; without it any file
   * is replaced.
   */
  z.object({
    act: z.literal('write-file'),
    sessionId: z.string(),
    path: z.string(),
    key: z.string(),
    bytes: z.number().int().nonnegative(),
    expected: z.string().nullable().optional(),
  }),
  z.object({ act: z.literal('read-base'), sessionId: z.string() }),
  /** `isChosen`: the branch is a person's choice or was pushed to before, and is taken as it is. */
  z.object({
    act: z.literal('push'),
    sessionId: z.string(),
    who: z.object({ teamId: z.string(), userId: z.string() }),
    branch: z.string(),
    isChosen: z.boolean(),
    /**
     * With it the remote's branch is replaced, while it has that commit; 'seen': while it has what it had a moment ago.
     */
    lease: z.string().nullable(),
  }),
  z.object({
    act: z.literal('change-base'),
    sessionId: z.string(),
    change: baseRequestSchema.shape.act,
    author: z.object({ name: z.string(), email: z.string() }),
  }),
  z.object({ act: z.literal('read-personas'), projectId: z.string() }),
  z.object({
    act: z.literal('list-project-files'),
    projectId: z.string(),
    path: z.string(),
    cursor: z.string().optional(),
    find: z.string().optional(),
  }),
  z.object({ act: z.literal('read-project-file'), projectId: z.string(), path: z.string() }),
  /**
   * Of a repository at another host, in the name of who asks: with that account, or with the one that they act with.
   */
  z.object({
    act: z.literal('list-branches'),
    who: z.object({ teamId: z.string(), userId: z.string() }),
    ofProject: z.string().nullable(),
    accountId: z.string().nullable(),
    url: z.string(),
  }),
  z.object({
    act: z.literal('assemble-prompt'),
    sessionId: z.string(),
    mode: sessionModeSchema,
    persona: resolvedPersonaSchema.nullable(),
    addition: z.string().nullable(),
  }),
  ...pullRequestJobSchemas,
]);
export type WorkspaceJob = z.infer<typeof workspaceJobSchema>;

export const workspaceReplySchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('list-files'), list: fileListSchema }),
  z.object({ act: z.literal('read-file'), file: fileContentSchema }),
  z.object({ act: z.literal('diff'), diff: diffSchema }),
  z.object({ act: z.literal('file-patch'), patch: filePatchSchema }),
  z.object({ act: z.literal('list-commits'), commits: commitListSchema }),
  z.object({ act: z.literal('commit'), commit: z.string() }),
  /** `bytes` of a file; null where it is not known before the end. */
  z.object({ act: z.literal('open-download'), bytes: z.number().int().nonnegative().nullable() }),
  z.object({ act: z.literal('write-file'), file: writtenFileSchema }),
  z.object({ act: z.literal('read-base'), base: sessionBaseSchema }),
  /** `isNew`: the remote did not have it before. */
  z.object({ act: z.literal('push'), pushed: pushAnswerSchema, isNew: z.boolean() }),
  z.object({ act: z.literal('change-base'), outcome: baseAnswerSchema.shape.outcome, base: sessionBaseSchema }),
  /** What was read is in the database. */
  z.object({ act: z.literal('read-personas'), commit: z.string() }),
  z.object({ act: z.literal('list-project-files'), list: projectFileListSchema }),
  z.object({ act: z.literal('read-project-file'), file: fileContentSchema }),
  z.object({ act: z.literal('list-branches'), branches: gitBranchesSchema }),
  z.object({
    act: z.literal('assemble-prompt'),
    sections: z.array(promptSectionSchema),
    cuts: z.array(promptCutSchema),
  }),
  ...pullRequestReplySchemas,
  z.object({
    act: z.literal('refused'),
    code: z.enum([
      'NOT_FOUND',
      'PERSONA_NOT_FOUND',
      'VALIDATION_FAILED',
      'WORKSPACE_UNAVAILABLE',
      'WORKSPACE_NOT_STORED',
      'TURN_IN_PROGRESS',
      'WORKSPACE_IN_USE',
      'WORKING_ROOT_INACCESSIBLE',
      'PROJECT_NOT_READY',
      'SANDBOX_UNAVAILABLE',
      'FILE_EXISTS',
      'FILE_CHANGED',
      'HARNESS_FAILURE',
      'GIT_AUTH_FAILED',
      'GIT_HOST_UNREACHABLE',
      'GIT_HOST_FORBIDDEN',
      'GIT_HOST_KEY_CHANGED',
      'GIT_NOT_FOUND',
      'GIT_TOO_LARGE',
      'GIT_CONFLICT',
      'GIT_NOTHING_TO_PUSH',
      'PULL_REQUEST_FAILED',
      'GIT_REMOTE_GONE',
      'GIT_FAILED',
      'GIT_PUSH_REJECTED',
      'GIT_PROTECTED_BRANCH',
    ]),
    detail: z.string(),
  }),
]);
export type WorkspaceReply = z.infer<typeof workspaceReplySchema>;

/** Acts that read or write the content of many files, or have a worker build a project's repository first. */
export const WORKSPACE_LONG_ACTS = [
  'diff',
  'file-patch',
  'list-commits',
  'commit',
  'open-download',
  'write-file',
  'read-base',
  'change-base',
  'list-project-files',
  'read-project-file',
  'list-branches',
] as const satisfies readonly WorkspaceJob['act'][];

/** How long a push may take, its answer included. */
export const PUSH_LIMIT_MS = 150_000;
/** A push that began longer ago lost the process that waited for it. */
export const PUSH_LOST_AFTER_MS = PUSH_LIMIT_MS + 30_000;

/** Acts that change a workspace: what was begun is never given up half-way. */
export function isWritingAct(act: WorkspaceJob['act']): boolean {
  return act === 'commit' || act === 'write-file' || act === 'change-base';
}

/** Acts that are not asked for a second time where the answer did not come: they may have been done. */
export const WORKSPACE_ACTS_DONE_ONCE: ReadonlySet<WorkspaceJob['act']> = new Set([
  'commit',
  'write-file',
  'change-base',
  'push',
  'open-download',
  'open-pull-request',
]);

/** How long a worker may work on the answer to an act; who asks waits a little longer. */
export function workspaceLimitMs(act: WorkspaceJob['act']): number {
  // What git has taken in is never given up half-way: the outcome is waited for.
  if (isWritingAct(act)) return 600_000;
  if (act === 'open-pull-request') return 60_000;
  if (act === 'read-pull-request' || act === 'pull-request-options') return 30_000;
  if (act === 'push') return PUSH_LIMIT_MS;
  return (WORKSPACE_LONG_ACTS as readonly string[]).includes(act) ? 45_000 : 5_000;
}

/** An attempt to open a pull request that began longer ago has come to its end, or its worker has. */
export const PULL_REQUEST_STALE_MS = workspaceLimitMs('open-pull-request') + 15_000;

/** A hint that a row of this session wants its worker's attention: an interrupt, an answer, or other rules. */
export const turnSignalSchema = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  reason: z.enum(['interrupt', 'permission', 'policy']),
});
export type TurnSignal = z.infer<typeof turnSignalSchema>;

/** Whose rights changed, which sign-in ended, or who may see which session; what is not named may be any. */
export const accessChangeSchema = z.object({
  userId: z.string().optional(),
  familyId: z.string().optional(),
  sessionId: z.string().optional(),
});
export type AccessChange = z.infer<typeof accessChangeSchema>;

/** A session looks different in a list now. `mayBeHidden`: who saw it before may not see it any longer. */
export const sessionChangeSchema = z.object({
  sessionId: z.string(),
  mayBeHidden: z.boolean(),
  /** Who has its project no longer: that person, or the team but for the project's members. */
  lostTo: z.string().optional(),
  /** Its remote or its pull request has something new. */
  pullRequest: z.boolean().optional(),
});
export type SessionChange = z.infer<typeof sessionChangeSchema>;

/** Someone joined the session, left it or is typing. */
export const presenceChangeSchema = z.string();

/**
 * A process is wanted ahead of the session's next turn, for that person, with the options that such a turn would have.
 */
export const aheadAskSchema = z.object({
  sessionId: z.string(),
  userId: z.string(),
  options: z.custom<ResolvedOptions>((options) => typeof options === 'object' && options !== null),
  persona: resolvedPersonaSchema.nullable(),
});
export type AheadAsk = z.infer<typeof aheadAskSchema>;
