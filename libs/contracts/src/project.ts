import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { optionsSchema } from './turn-options';

export const projectSourceSchema = z.discriminatedUnion('kind', [
  /** `sample`: a small project with tests, to try things on. */
  z.strictObject({ kind: z.literal('empty'), sample: z.literal(true).optional() }),
  z.strictObject({ kind: z.literal('git'), url: z.string().min(1).max(2_000) }),
  z.strictObject({ kind: z.literal('upload') }),
  z.strictObject({ kind: z.literal('directory'), path: z.string().min(1).max(4_096) }),
]);
export type ProjectSource = z.infer<typeof projectSourceSchema>;

/** Why a project's files could not be fetched. */
export const SOURCE_FAILURE_CODES = [
  'SOURCE_ADDRESS_REFUSED',
  'SOURCE_REDIRECTED',
  'SOURCE_UNREACHABLE',
  'SOURCE_NOT_FOUND',
  'SOURCE_EMPTY',
  'SOURCE_TOO_LARGE',
  'SOURCE_TIMEOUT',
  'SOURCE_INVALID',
  'SOURCE_FAILED',
  'SANDBOX_UNAVAILABLE',
  'WORKER_LOST',
] as const;
export const sourceFailureSchema = z.object({ code: z.enum(SOURCE_FAILURE_CODES), detail: z.string() });
export type SourceFailure = z.infer<typeof sourceFailureSchema>;

/** An archive that is sent to `PUT /v1/projects/:id/upload`: a tar file, compressed by gzip. */
export const UPLOAD_LIMIT_BYTES = 256 * 1024 * 1024;

/** `percent` is of the phase; null where git does not say. `bytes` have arrived so far. */
export const sourceProgressSchema = z.object({
  phase: z.enum(['connecting', 'receiving', 'unpacking', 'checking', 'storing']),
  percent: z.number().int().min(0).max(100).nullable(),
  bytes: z.number().int().nonnegative().nullable(),
});
export type SourceProgress = z.infer<typeof sourceProgressSchema>;

/**
 * Sessions can be made once it is `ready`. `awaiting_upload`: nobody has sent the archive yet. What `failed` is fetched
 * again when somebody asks for it, or sends another archive.
 */
export const sourceStateSchema = z.object({
  status: z.enum(['awaiting_upload', 'waiting', 'fetching', 'ready', 'failed']),
  since: timestampSchema,
  progress: sourceProgressSchema.nullable(),
  error: sourceFailureSchema.nullable(),
});
export type SourceState = z.infer<typeof sourceStateSchema>;

export const projectSchema = z.object({
  id: idSchema('project'),
  teamId: idSchema('team'),
  name: z.string(),
  source: projectSourceSchema,
  sourceState: sourceStateSchema,
  /** Defaults of its sessions. */
  options: optionsSchema,
  /** No session of the project may be less strict. */
  strict: z.boolean(),
  /** Set while what would be asked is approved by itself. */
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
});
export type CreateProject = z.infer<typeof createProjectSchema>;
/** `options` replaces the defaults as a whole. */
export const updateProjectSchema = z.strictObject({
  name: projectNameSchema.optional(),
  options: optionsSchema.optional(),
  strict: z.boolean().optional(),
  autoApprove: z.boolean().optional(),
});
export type UpdateProject = z.infer<typeof updateProjectSchema>;

/** One entry of a workspace's file list; `path` is relative to the workspace's root. */
export const fileEntrySchema = z.object({
  path: z.string(),
  kind: z.enum(['file', 'directory', 'symlink', 'other']),
  size: z.number().int().nonnegative(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;
export const fileQuerySchema = z.object({ path: z.string().max(4_096).default('') });
/** `encoding` is base64 when the content is not UTF-8. */
export const fileContentSchema = z.object({
  path: z.string(),
  size: z.number().int().nonnegative(),
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  truncated: z.boolean(),
});
export type FileContent = z.infer<typeof fileContentSchema>;
export const diffQuerySchema = z.object({ base: z.string().max(200).optional() });
export const diffSchema = z.object({
  base: z.string(),
  files: z.array(z.object({ path: z.string(), status: z.string(), additions: z.number().int(), deletions: z.number().int() })),
  patch: z.string(),
  truncated: z.boolean(),
});
export type WorkspaceDiff = z.infer<typeof diffSchema>;
export const commitRequestSchema = z.strictObject({ message: z.string().trim().min(1).max(4_000) });
