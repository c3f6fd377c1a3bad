import { z } from 'zod';
import { idSchema } from './id';

/** A file that goes with a message. Kind and media type are what its content is, whatever its name says. */
export const attachmentSchema = z.object({
  id: idSchema('attachment'),
  /** Unique in its session; a file is at `/attachments/<name>` in the sandbox. */
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int().nonnegative(),
  /** What the model is given of it: a picture, a document, or a file that its tools may read. */
  kind: z.enum(['image', 'document', 'file']),
  /** Of a picture, in pixels. */
  width: z.number().int().positive().optional(),
  height: z.number().int().positive().optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const MAX_ATTACHMENTS = 20;
export const ATTACHMENT_LIMIT_BYTES = 10 * 1024 * 1024;
/** All of a message together. */
export const ATTACHMENTS_LIMIT_BYTES = 32 * 1024 * 1024;

export const attachmentQuerySchema = z.object({ name: z.string().min(1).max(1_000).default('file') });
