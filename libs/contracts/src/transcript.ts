import { z } from 'zod';

/** Turns are in the form of the fold (`TranscriptState`), which grows with the kinds of events and is read by the code that made it. */
const foldedSchema = z.record(z.string(), z.unknown());

/** Where the turns before these are asked for with `before`; null where these are the first of the session. */
const earlierSchema = z.string().nullable();

export const transcriptQuerySchema = z.object({ before: z.coerce.number().int().positive().optional() });

/** The newest turns, as of the event `through`, and what is said of the whole session. */
export const newestTranscriptSchema = z.object({
  through: z.number().int().nonnegative(),
  transcript: foldedSchema,
  earlier: earlierSchema,
});

/** The turns right before a cursor, with everything that was said of them through an event. */
export const earlierTranscriptSchema = z.object({
  through: z.number().int().nonnegative(),
  turns: z.array(foldedSchema),
  earlier: earlierSchema,
});
