import { z } from 'zod';

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
/** `paths`: only these files; without it everything that is not ignored. Of a renamed file both names are needed. */
export const commitRequestSchema = z.strictObject({
  message: z.string().trim().min(1).max(4_000),
  paths: z.array(z.string().min(1).max(4_096)).min(1).max(5_000).optional(),
});
export type CommitRequest = z.infer<typeof commitRequestSchema>;
