import { z } from 'zod';

/**
 * Why the messages that wait do not run until someone resumes them. `stopped`: a person stopped the turn before.
 * `failed`: it failed. `refused`: the next message may not run as it is.
 */
export const queuePauseSchema = z.object({
  reason: z.enum(['stopped', 'failed', 'refused']),
  detail: z.string().nullable(),
});
export type QueuePause = z.infer<typeof queuePauseSchema>;
