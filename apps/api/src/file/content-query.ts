import { z } from 'zod';

/** Which file's content is wanted; a worker judges the path. */
export const contentQuerySchema = z.object({ path: z.string().min(1).max(4_096) });
