import { z } from 'zod';

/** `stopped`: a person stopped the turn before. `failed`: it failed. `refused`: the next message may not run as it is. */
export const queuePauseReasonSchema = z.enum(['stopped', 'failed', 'refused']);
export type QueuePauseReason = z.infer<typeof queuePauseReasonSchema>;

/** Why the messages that wait do not run until someone resumes them. */
export const queuePauseSchema = z.object({ reason: queuePauseReasonSchema, detail: z.string().nullable() });
export type QueuePause = z.infer<typeof queuePauseSchema>;
