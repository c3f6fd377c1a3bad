import { z } from 'zod';
import { attachmentSchema } from './attachment';
import { idSchema } from './id';
import { outputSchemaSchema } from './output-schema';
import { queuePauseSchema } from './queue-pause';
import { identityClassSchema, timestampSchema } from './scalar';
import { createTurnResponseSchema } from './turn';
import { optionsSchema } from './turn-options';

/** The most messages that may wait in a session. */
export const MAX_QUEUE_ITEMS = 20;

/** A message that waits in its session. Its options, budget and rights are judged when it runs. */
export const queueItemSchema = z.object({
  id: idSchema('queueItem'),
  sessionId: idSchema('session'),
  author: z.object({ userId: idSchema('user'), name: z.string(), identityClass: identityClassSchema }),
  message: z.string(),
  attachments: z.array(attachmentSchema),
  options: optionsSchema,
  outputSchema: outputSchemaSchema.nullable(),
  /** It runs before the others, and while the queue is paused too. */
  urgent: z.boolean(),
  at: timestampSchema,
});
export type QueueItem = z.infer<typeof queueItemSchema>;

/** All messages that wait in a session, in the order in which they run. */
export const sessionQueueSchema = z.object({ data: z.array(queueItemSchema), paused: queuePauseSchema.nullable() });
export type SessionQueue = z.infer<typeof sessionQueueSchema>;

export const updateQueueSchema = z.strictObject({ paused: z.boolean() });
export type UpdateQueue = z.infer<typeof updateQueueSchema>;

/** `after`: the message that it follows then; null: it is the first. */
export const updateQueueItemSchema = z.strictObject({
  message: z.string().optional(),
  options: optionsSchema.optional(),
  after: idSchema('queueItem').nullable().optional(),
});
export type UpdateQueueItem = z.infer<typeof updateQueueItemSchema>;

export const queueItemResponseSchema = z.object({ item: queueItemSchema });

/** A message became a turn, or waits for the one that runs. */
export const sendTurnResponseSchema = z.union([createTurnResponseSchema, queueItemResponseSchema]);
