import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { roleSchema } from './team';
import { optionLimitsSchema, optionsSchema } from './turn-options';

export const projectSourceSchema = z.discriminatedUnion('kind', [
  /** `sample`: a small project with tests, to try things on. */
  z.strictObject({ kind: z.literal('empty'), sample: z.literal(true).optional() }),
  /** Without `branch` the one that the host names as its default. */
  z.strictObject({
    kind: z.literal('git'),
    url: z.string().min(1).max(2_000),
    branch: z.string().min(1).max(250).optional(),
  }),
  z.strictObject({ kind: z.literal('upload') }),
  z.strictObject({ kind: z.literal('directory'), path: z.string().min(1).max(4_096) }),
]);
export type ProjectSource = z.infer<typeof projectSourceSchema>;

/** Why a project's files could not be fetched. */
const SOURCE_FAILURE_CODES = [
  'SOURCE_ADDRESS_REFUSED',
  'SOURCE_REDIRECTED',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_FOUND',
  'SOURCE_EMPTY',
  'SOURCE_TOO_LARGE',
  'SOURCE_TIMEOUT',
  'SOURCE_INVALID',
  'SOURCE_FAILED',
  'GIT_AUTH_FAILED',
  'GIT_HOST_KEY_CHANGED',
  'GIT_TOO_LARGE',
  'SANDBOX_UNAVAILABLE',
  'WORKER_LOST',
] as const;
export const sourceFailureSchema = z.object({ code: z.enum(SOURCE_FAILURE_CODES), detail: z.string() });
export type SourceFailure = z.infer<typeof sourceFailureSchema>;

/** Why a repository at a git host could not be asked, fetched from or pushed to. */
const GIT_FAILURE_CODES = [
  'GIT_AUTH_FAILED',
  'GIT_HOST_UNREACHABLE',
  'GIT_HOST_FORBIDDEN',
  'GIT_HOST_KEY_CHANGED',
  'GIT_NOT_FOUND',
  'GIT_REMOTE_GONE',
  'GIT_TOO_LARGE',
  'GIT_NOTHING_TO_PUSH',
  'GIT_PUSH_REJECTED',
  'GIT_PROTECTED_BRANCH',
  'GIT_FAILED',
  'SANDBOX_UNAVAILABLE',
  'WORKER_LOST',
] as const;
export const gitFailureSchema = z.object({ code: z.enum(GIT_FAILURE_CODES), detail: z.string() });
export type GitFailure = z.infer<typeof gitFailureSchema>;

/** An archive that is sent to `PUT /v1/projects/:id/upload`: a tar file compressed by gzip, or a zip file. */
export const UPLOAD_LIMIT_BYTES = 256 * 1024 * 1024;

/** `percent` and `objects` are of the phase; null where git does not say. `bytes` have arrived so far. */
export const sourceProgressSchema = z.object({
  phase: z.enum(['connecting', 'receiving', 'unpacking', 'checking', 'storing']),
  percent: z.number().int().min(0).max(100).nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  objects: z
    .object({ done: z.number().int().nonnegative(), total: z.number().int().nonnegative() })
    .nullable()
    .optional(),
});
export type SourceProgress = z.infer<typeof sourceProgressSchema>;

/**
 * Sessions can be made once it is `ready`. `awaiting_upload`: the archive has not been sent yet. What `failed` is
 * fetched again when a user asks for it or sends another archive.
 */
export const sourceStateSchema = z.object({
  status: z.enum(['awaiting_upload', 'waiting', 'fetching', 'ready', 'failed']),
  since: timestampSchema,
  progress: sourceProgressSchema.nullable(),
  error: sourceFailureSchema.nullable(),
});
export type SourceState = z.infer<typeof sourceStateSchema>;

/**
 * How far the project is with asking its remote for newer commits. Its files are usable all the while, and stay what
 * they were when that `failed`. `note`: what the last refresh found, such as a history that was rewritten.
 */
export const refreshStateSchema = z.object({
  status: z.enum(['idle', 'waiting', 'running', 'failed']),
  since: timestampSchema,
  progress: sourceProgressSchema.nullable(),
  error: gitFailureSchema.nullable(),
  note: z.string().nullable(),
  /** When the files were last what the remote has; null while that was never so. */
  refreshedAt: timestampSchema.nullable(),
});
export type RefreshState = z.infer<typeof refreshStateSchema>;

/** `{title}` and `{id}` are replaced; what git takes in no name of a branch is left out. */
const branchPatternSchema = z.string().trim().min(1).max(120);

/** `team`: every member of the team has the project; `members`: those whom it names, and the team's owners and admins. */
export const projectVisibilitySchema = z.enum(['team', 'members']);
export type ProjectVisibility = z.infer<typeof projectVisibilitySchema>;
/** `read` looks, `write` works in sessions, `manage` also says what is allowed in them, and who is in the project. */
export const projectRoleSchema = z.enum(['manage', 'write', 'read']);
export type ProjectRole = z.infer<typeof projectRoleSchema>;
/** A person whom the project names; `teamRole` is what they are in its team. */
export const projectMemberSchema = z.object({
  userId: idSchema('user'),
  name: z.string(),
  email: z.string(),
  role: projectRoleSchema,
  teamRole: roleSchema,
  addedAt: timestampSchema,
});
export type ProjectMember = z.infer<typeof projectMemberSchema>;
export const putProjectMemberSchema = z.strictObject({ role: projectRoleSchema });

export const projectSchema = z.object({
  id: idSchema('project'),
  teamId: idSchema('team'),
  name: z.string(),
  visibility: projectVisibilitySchema,
  /** What the person who asks may do in it. */
  role: projectRoleSchema,
  source: projectSourceSchema,
  sourceState: sourceStateSchema,
  /** The commit that new sessions start from, and its branch; null until a worker has seen the files. */
  baseCommit: z.string().nullable(),
  baseBranch: z.string().nullable(),
  /** Null for a project that has no remote. */
  refresh: refreshStateSchema.nullable(),
  /** Commits of the remote that the project lacks: 0 after a refresh, null where that is not known. */
  behind: z.number().int().nonnegative().nullable(),
  /** A new session first asks the remote for newer commits. */
  refreshBeforeSession: z.boolean(),
  branchPattern: z.string(),
  /** Defaults of its sessions. */
  options: optionsSchema,
  /** What no turn of the project may go beyond, whatever the options of any level ask for. */
  limits: optionLimitsSchema,
  /** No session of the project may be less strict. */
  strict: z.boolean(),
  /** Set while what would be asked is approved automatically. */
  autoApprove: z.object({ since: timestampSchema, by: z.object({ userId: z.string(), name: z.string() }) }).nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Project = z.infer<typeof projectSchema>;

const projectNameSchema = z.string().trim().min(1).max(100);
export const createProjectSchema = z.strictObject({
  name: projectNameSchema,
  source: projectSourceSchema.default({ kind: 'empty' }),
  teamId: z.string().optional(),
  /** `team` unless it is named. */
  visibility: projectVisibilitySchema.optional(),
});
export type CreateProject = z.infer<typeof createProjectSchema>;
/** `options` replaces the defaults as a whole, `limits` the limits. */
export const updateProjectSchema = z.strictObject({
  name: projectNameSchema.optional(),
  visibility: projectVisibilitySchema.optional(),
  options: optionsSchema.optional(),
  limits: optionLimitsSchema.optional(),
  strict: z.boolean().optional(),
  autoApprove: z.boolean().optional(),
  refreshBeforeSession: z.boolean().optional(),
  branchPattern: branchPatternSchema.optional(),
});
export type UpdateProject = z.infer<typeof updateProjectSchema>;

/** One entry of a workspace's file list; `path` is relative to the workspace's root. */
export const fileEntrySchema = z.object({
  path: z.string(),
  kind: z.enum(['file', 'directory', 'symlink', 'other']),
  size: z.number().int().nonnegative(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;
/**
 * `cursor` as a page answered it; a name may hold any character. `find` searches: the directory and all below it, for
 * entries that have it in their name, or with a slash in it in their path, in capitals or not.
 */
export const fileQuerySchema = z
  .object({
    path: z.string().max(4_096).default(''),
    cursor: z.string().max(1_000).optional(),
    find: z.string().min(1).max(255).optional(),
  })
  .refine(({ cursor, find }) => cursor === undefined || find === undefined, {
    path: ['cursor'],
    message: 'a search has no further pages',
  });
/**
 * One page of a directory, or what a search found. `total` counts all entries; `left` are those that come after this
 * page. A search has one page, of those that are the least deep. `atLeast`: there may be more, because it was stopped
 * after a time.
 */
export const fileListSchema = z.object({
  data: z.array(fileEntrySchema),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
  left: z.number().int(),
  atLeast: z.boolean().optional(),
});
export type FileList = z.infer<typeof fileListSchema>;
/** The same of a project, with the commit that its sessions start from. */
export const projectFileListSchema = fileListSchema.extend({
  commit: z.object({ commit: z.string(), at: z.string() }),
});
export type ProjectFileList = z.infer<typeof projectFileListSchema>;
/**
 * `encoding` is base64 when the content is not UTF-8. `etag` is another text once the file has other content; a file of
 * a project has none.
 */
export const fileContentSchema = z.object({
  path: z.string(),
  size: z.number().int().nonnegative(),
  etag: z.string().optional(),
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  truncated: z.boolean(),
});
export type FileContent = z.infer<typeof fileContentSchema>;
/**
 * `uncommitted`: compared with the last commit of the session's branch; `base`: with any commit, by default the one
 * that the session began at; `commit`: what that commit changed. `cursor` lists the files after those of a page.
 */
export const diffQuerySchema = z.object({
  base: z.string().max(200).optional(),
  scope: z.enum(['session', 'uncommitted']).default('session'),
  commit: z.string().max(200).optional(),
  cursor: z.string().max(6_000).optional(),
});
export type DiffQuery = z.infer<typeof diffQuerySchema>;
/**
 * `patch`: `folded` patches are too large for the list and are read one by one; `patchBytes` is null where it was not
 * measured.
 */
export const diffFileSchema = z.object({
  path: z.string(),
  /** Of a renamed file. */
  oldPath: z.string().optional(),
  status: z.string(),
  additions: z.number().int(),
  deletions: z.number().int(),
  binary: z.boolean(),
  patch: z.enum(['shown', 'folded', 'none']),
  patchBytes: z.number().int().nullable(),
});
export type DiffFile = z.infer<typeof diffFileSchema>;
export const diffSchema = z.object({
  /** The commit that is compared with; `head` is the last one of the session's branch, null without one. */
  base: z.string(),
  head: z.string().nullable(),
  branch: z.string().nullable(),
  files: z.array(diffFileSchema),
  nextCursor: z.string().nullable(),
  /** Over all files, listed or not. `atLeast`: there may be more, because counting was stopped after a time. */
  totals: z.object({
    files: z.number().int(),
    additions: z.number().int(),
    deletions: z.number().int(),
    atLeast: z.boolean(),
  }),
  /** Of the listed files whose `patch` is `shown`. */
  patch: z.string(),
  truncated: z.boolean(),
  /** Directories with a git repository inside; their files are in no diff and in no commit of the session. */
  nested: z.array(z.string()),
  /** New files that are too large to be compared. */
  skipped: z.array(z.object({ path: z.string(), size: z.number().int() })),
});
export type WorkspaceDiff = z.infer<typeof diffSchema>;
export const filePatchQuerySchema = diffQuerySchema.omit({ cursor: true }).extend({
  path: z.string().min(1).max(4_096),
  oldPath: z.string().max(4_096).optional(),
  from: z.coerce.number().int().nonnegative().default(0),
});
/** A part of one file's patch, in bytes of it. `next` is where the following part begins; null at the end. */
export const filePatchSchema = z.object({ path: z.string(), patch: z.string(), next: z.number().int().nullable() });
export type WorkspaceFilePatch = z.infer<typeof filePatchSchema>;
/** A file as its bytes, or a directory, '' for all, as an archive. */
export const downloadQuerySchema = z
  .object({
    path: z.string().max(4_096).default(''),
    format: z.enum(['raw', 'zip', 'tar.gz']).default('raw'),
  })
  .refine(({ path, format }) => path !== '' || format !== 'raw', {
    path: ['format'],
    message: 'a directory is downloaded as zip or tar.gz',
  });
export type DownloadQuery = z.infer<typeof downloadQuerySchema>;
/** As `diffQuerySchema`, and in which form: as JSON in pages, as one patch, or the changed files as they are now. */
export const diffDownloadQuerySchema = diffQuerySchema.extend({
  format: z.enum(['json', 'patch', 'zip', 'tar.gz']).default('json'),
});
/** The most that is sent of a workspace at once, before compression. */
export const DOWNLOAD_LIMIT_BYTES = 4 * 1024 ** 3;
/** The most that one file may have which is sent to `PUT /v1/sessions/:id/files/content`. */
export const FILE_UPLOAD_LIMIT_BYTES = 100 * 1024 ** 2;
export const writtenFileSchema = z.object({ path: z.string(), size: z.number().int().nonnegative(), etag: z.string() });
export type WrittenFile = z.infer<typeof writtenFileSchema>;
/** A commit of the session, newest first. */
export const sessionCommitSchema = z.object({
  commit: z.string(),
  subject: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  at: z.string(),
});
export type SessionCommit = z.infer<typeof sessionCommitSchema>;
export const commitListSchema = z.object({
  data: z.array(sessionCommitSchema),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
});
export type CommitList = z.infer<typeof commitListSchema>;
/**
 * How a session stands to the commit that new sessions of its project start from. `conflicts` are the files that a merge
 * left for someone to resolve.
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
/** `paths`: only these files; without it everything that is not ignored. Of a renamed file both names are needed. */
export const commitRequestSchema = z.strictObject({
  message: z.string().trim().min(1).max(4_000),
  paths: z.array(z.string().min(1).max(4_096)).min(1).max(5_000).optional(),
});
export type CommitRequest = z.infer<typeof commitRequestSchema>;
