import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

const MAX_COMMENTED_LINES = 200;
/** More would be a message that no one reads to its end. */
export const MAX_UNSENT_COMMENTS = 100;

const placeShape = {
  path: z.string().min(1).max(4_096),
  /** Of the change: what was there before, or what is there now. */
  side: z.enum(['old', 'new']),
  line: z.number().int().positive(),
  /** The last line, where it is about several. */
  endLine: z.number().int().positive().optional(),
  /** The change is that of a commit; without it, what is not committed yet. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be a commit hash')
    .optional(),
};
const bodySchema = z.string().trim().min(1).max(4_000);

/** A comment on lines of a change, which waits to be sent to Claude with the others of its session. */
export const diffCommentSchema = z.object({
  id: idSchema('comment'),
  ...placeShape,
  body: z.string(),
  /** The lines as they were when it was written, masked. */
  code: z.string(),
  author: z.object({ userId: idSchema('user'), name: z.string() }),
  /** Whether the lines are others now; null where that could not be found out. */
  outdated: z.boolean().nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type DiffComment = z.infer<typeof diffCommentSchema>;

export const createCommentSchema = z
  .strictObject({ ...placeShape, body: bodySchema })
  .refine(({ line, endLine = line }) => endLine >= line && endLine - line < MAX_COMMENTED_LINES, {
    path: ['endLine'],
    message: `must not be before \`line\`, and a comment is about ${MAX_COMMENTED_LINES} lines at most`,
  });
export type CreateComment = z.infer<typeof createCommentSchema>;

export const updateCommentSchema = z.strictObject({ body: bodySchema });
export type UpdateComment = z.infer<typeof updateCommentSchema>;

/** `ids`: which of the comments; without it all that are not sent. `message` stands above them. */
export const sendCommentsSchema = z.strictObject({
  message: z.string().max(20_000).default(''),
  ids: z.array(idSchema('comment')).min(1).max(MAX_UNSENT_COMMENTS).optional(),
});
export type SendComments = z.infer<typeof sendCommentsSchema>;
