import { z } from 'zod';
import { idSchema } from './id';
import { pageQuerySchema, timestampSchema } from './scalar';
import { sessionStatusSchema } from './session';

export const searchFieldSchema = z.enum(['title', 'message', 'answer', 'tool_input', 'tool_output', 'file']);
export type SearchField = z.infer<typeof searchFieldSchema>;

/** States of sessions to look in; `any` is also what is archived. */
const searchStatusSchema = z.enum([...sessionStatusSchema.options, 'any']);
export type SearchStatus = z.infer<typeof searchStatusSchema>;

/** Most characters of what is searched for. */
export const MAX_SEARCH_CHARS = 200;

/**
 * `userId`: whose turns, and for titles whose sessions. `status`: without it all sessions that are not archived; `any`
 * with them. `model`: a turn's, by any part of its name. `from` is included, `to` is not.
 */
export const searchQuerySchema = pageQuerySchema.extend({
  q: z.string().max(MAX_SEARCH_CHARS),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  projectId: z.string().optional(),
  userId: z.string().optional(),
  persona: z.string().max(200).optional(),
  status: searchStatusSchema.optional(),
  model: z.string().max(200).optional(),
  from: timestampSchema.optional(),
  to: timestampSchema.optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** What was found. `turn` and `eventId` are null for a title. The snippet is plain text, never markup. */
export const searchHitSchema = z.object({
  session: idSchema('session'),
  turn: idSchema('turn').nullable(),
  eventId: z.number().int().positive().nullable(),
  field: searchFieldSchema,
  snippet: z.string(),
  /** Where the snippet has what was searched for: UTF-16 units, the end not included. */
  marks: z.array(z.object({ start: z.number().int().nonnegative(), end: z.number().int().positive() })),
  title: z.string(),
  projectId: idSchema('project'),
  status: sessionStatusSchema,
  /** When it was said or done; for a title when the session began. */
  at: timestampSchema,
});
export type SearchHit = z.infer<typeof searchHitSchema>;
