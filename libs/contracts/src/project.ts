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
  /** A user stopped it, whom the detail names. */
  'SOURCE_STOPPED',
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

/** Why newer commits did not come. `GIT_STOPPED`: a user stopped the refresh, whom `detail` names. */
export const refreshFailureSchema = gitFailureSchema.extend({ code: z.enum([...GIT_FAILURE_CODES, 'GIT_STOPPED']) });
export type RefreshFailure = z.infer<typeof refreshFailureSchema>;

/** An archive that is sent to `PUT /v1/projects/:id/upload`: a tar file compressed by gzip, or a zip file. */
export const UPLOAD_LIMIT_BYTES = 256 * 1024 * 1024;

const remoteSeenSchema = z.object({ commit: z.string(), behind: z.number().int().nonnegative().nullable() });

/** `percent` and `objects` are of the phase; null where git does not say. `bytes` have arrived so far. */
export const sourceProgressSchema = z.object({
  phase: z.enum(['connecting', 'receiving', 'unpacking', 'checking', 'storing']),
  percent: z.number().int().min(0).max(100).nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  objects: z
    .object({ done: z.number().int().nonnegative(), total: z.number().int().nonnegative() })
    .nullable()
    .optional(),
  /** The path of the submodule that this is about; absent while it is about the project itself. */
  submodule: z.string().optional(),
  /** Of a refresh: the newer commit of the remote's branch, and how many are new; null until that is counted. */
  remote: remoteSeenSchema.optional(),
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
  error: refreshFailureSchema.nullable(),
  note: z.string().nullable(),
  /** When the files were last what the remote has; null while that was never so. */
  refreshedAt: timestampSchema.nullable(),
  /**
   * The newer commit that a refresh saw at the remote without bringing it, as one that was stopped or failed; null when
   * the files are what the remote had. `behind` is null where the commits could not be counted.
   */
  remote: remoteSeenSchema.extend({ at: timestampSchema }).nullable(),
});
export type RefreshState = z.infer<typeof refreshStateSchema>;

/** What was not taken over, by its path, with the reason. */
const leftOutSchema = z.array(z.object({ path: z.string(), reason: z.string() }));

/** `left` names the first of those that are not here. */
const submoduleReportSchema = z.object({
  included: z.number().int().nonnegative(),
  leftCount: z.number().int().nonnegative(),
  left: leftOutSchema,
});
export type SubmoduleReport = z.infer<typeof submoduleReportSchema>;

/** What of a project's source is not among its files as one might expect it; null where it was not looked for. */
export const sourceReportSchema = z.object({
  submodules: submoduleReportSchema.nullable(),
  /** Files that are pointers of Git LFS, and the bytes that they stand for; their content is not fetched. */
  lfs: z.object({ pointers: z.number().int().nonnegative(), bytes: z.number().nonnegative() }).nullable(),
  /** Of an uploaded archive; `named` has the first of them. */
  leftOut: z.object({ count: z.number().int().nonnegative(), named: leftOutSchema }).nullable(),
});
export type SourceReport = z.infer<typeof sourceReportSchema>;

/** `{title}` and `{id}` are replaced; what git takes in no name of a branch is left out. */
const branchPatternSchema = z.string().trim().min(1).max(120);

/**
 * `team`: every member of the team has the project; `members`: those whom it names, and the team's owners and admins.
 */
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
  /** Null until its files were looked through. */
  report: sourceReportSchema.nullable(),
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
