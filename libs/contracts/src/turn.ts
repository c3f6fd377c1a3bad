import { z } from 'zod';
import { attachmentSchema } from './attachment';
import { idSchema } from './id';
import { outputSchemaSchema } from './output-schema';
import { resolvedPersonaSchema } from './persona';
import { problemCodeSchema, turnErrorCodeSchema } from './problem';
import {
  durationMsSchema,
  identityClassSchema,
  knownCostShape,
  moneySchema,
  timestampSchema,
  tokenUsageSchema,
} from './scalar';
import { optionsSchema, resolvedOptionsSchema } from './turn-options';

export const LIVE_TURN_STATUSES = ['queued', 'starting', 'running', 'awaiting_permission', 'finishing'] as const;
export const FINAL_TURN_STATUSES = ['completed', 'failed', 'interrupted', 'timed_out', 'cancelled', 'lost'] as const;
export const turnStatusSchema = z.enum([...LIVE_TURN_STATUSES, ...FINAL_TURN_STATUSES]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;
export type FinalTurnStatus = (typeof FINAL_TURN_STATUSES)[number];

export const turnKindSchema = z.enum(['message', 'boot', 'compact']);
export type TurnKind = z.infer<typeof turnKindSchema>;

export const turnErrorSchema = z.object({
  code: z.union([turnErrorCodeSchema, problemCodeSchema]),
  detail: z.string(),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/** Where a turn's time went. A part that was never reached is null. */
export const timingsSchema = z.object({
  queueMs: durationMsSchema.nullable(),
  sandboxMs: durationMsSchema.nullable(),
  spawnMs: durationMsSchema.nullable(),
  initMs: durationMsSchema.nullable(),
  firstTokenMs: durationMsSchema.nullable(),
  tools: z.array(z.object({ toolUseId: z.string(), ms: durationMsSchema })),
  persistMs: durationMsSchema.nullable(),
  totalMs: durationMsSchema.nullable(),
});
export type Timings = z.infer<typeof timingsSchema>;

export const permissionDenialSchema = z.object({ tool: z.string(), toolUseId: z.string(), input: z.unknown() });
export type PermissionDenial = z.infer<typeof permissionDenialSchema>;

export const turnSchema = z.object({
  id: idSchema('turn'),
  sessionId: idSchema('session'),
  kind: turnKindSchema,
  status: turnStatusSchema,
  attempt: z.number().int().nonnegative(),
  author: z.object({ userId: idSchema('user'), name: z.string(), identityClass: identityClassSchema }),
  message: z.string(),
  attachments: z.array(attachmentSchema),
  options: resolvedOptionsSchema,
  persona: resolvedPersonaSchema.nullable(),
  /** What the answer had to be, where a schema came with the message. */
  outputSchema: outputSchemaSchema.nullable(),
  text: z.string(),
  /** The answer by that schema; null before it, and where the model did not follow the schema. */
  structured: z.record(z.string(), z.unknown()).nullable(),
  degraded: z.boolean(),
  error: turnErrorSchema.nullable(),
  claude: z.object({
    sessionId: z.string().nullable(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  usage: tokenUsageSchema,
  ...knownCostShape,
  /**
   * Part of an answer that was cut is counted from what came of it, because the service did not say how much it was.
   */
  estimated: z.boolean(),
  reportedCostUsd: moneySchema.nullable(),
  permissionDenials: z.array(permissionDenialSchema),
  position: z.number().int().positive().nullable(),
  timings: timingsSchema.nullable(),
  queuedAt: timestampSchema,
  startedAt: timestampSchema.nullable(),
  endedAt: timestampSchema.nullable(),
});
export type Turn = z.infer<typeof turnSchema>;

/** The most a message may hold: 4 MiB of UTF-8. */
export const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * `queue`: it waits until the turn has ended. `interrupt`: the turn is interrupted, and it runs first.
 */
const whenBusySchema = z.enum(['refuse', 'queue', 'interrupt']);

/**
 * An empty or oversized message, and too many attachments, have their own problem codes, so the service checks that,
 * not this schema. A message with attachments may be empty.
 */
export const createTurnSchema = z.strictObject({
  message: z.string(),
  options: optionsSchema.default({}),
  /** Uploaded before, in the order in which they are shown. */
  attachments: z.array(idSchema('attachment')).default([]),
  /** The answer has to be JSON by it: `structured` of the turn. What looks like a credential in it is masked first. */
  outputSchema: outputSchemaSchema.optional(),
  /** What becomes of the message while a turn runs; without it the request is refused. */
  whenBusy: whenBusySchema.optional(),
});
export type CreateTurn = z.infer<typeof createTurnSchema>;

export const createTurnQuerySchema = z.object({ wait: z.enum(['turn']).optional() });
export const createTurnResponseSchema = z.object({ turn: turnSchema });

export const bootRequestSchema = z.strictObject({ options: optionsSchema.default({}) });
