import { z } from 'zod';
import { idSchema } from './id';
import { personaKeySchema } from './persona';
import { timestampSchema } from './scalar';
import { nameSchema } from './team';

/** Consecutive failures after which a schedule is paused. */
export const SCHEDULE_FAILURES = 3;
/** What is sent to a trigger is shown to Claude as it came. */
export const TRIGGER_LIMIT_BYTES = 64 * 1024;

/**
 * `starting` until its turn is accepted, `running` until that has ended. `missed`: no server was there at the time, and
 * it is not made up for. `refused`: it could not be started, and `detail` says why.
 */
const SCHEDULE_RUN_STATES = ['starting', 'running', 'done', 'failed', 'refused', 'missed'] as const;

export const scheduleRunSchema = z.object({
  id: idSchema('scheduleRun'),
  cause: z.enum(['time', 'person', 'trigger']),
  plannedAt: timestampSchema,
  state: z.enum(SCHEDULE_RUN_STATES),
  /** Null, as its turn, until it has started, and where the caller may not read the session. */
  sessionId: idSchema('session').nullable(),
  turnId: idSchema('turn').nullable(),
  detail: z.string().nullable(),
});
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;

export const scheduleSchema = z.object({
  id: idSchema('schedule'),
  teamId: idSchema('team'),
  projectId: idSchema('project'),
  name: z.string(),
  persona: z.string().nullable(),
  message: z.string(),
  /** Null for one that runs when its trigger is called, or a person wants it. */
  cron: z.string().nullable(),
  timezone: z.string(),
  /** When it runs, in words. */
  words: z.string(),
  /** A new session for each run, or the one that is continued; null where the caller may not read that. */
  session: z.union([z.literal('new'), idSchema('session')]).nullable(),
  /** The most that one run may cost. */
  budgetUsd: z.string().nullable(),
  /** In whose name it runs, with their rights, key and budgets at that moment. */
  owner: z.object({ userId: idSchema('user'), name: z.string(), isServiceAccount: z.boolean() }),
  createdAt: timestampSchema,
  status: z.enum(['active', 'paused']),
  /** Why it is paused; null where it is not. */
  pausedBecause: z.enum(['person', 'failures']).nullable(),
  failures: z.number().int().nonnegative(),
  /** The next times at which it is due, at most five; none while it is paused. */
  next: z.array(timestampSchema),
  /** Whether a signed request may start it, and where that is sent. */
  triggerUrl: z.string().nullable(),
  lastRun: scheduleRunSchema.nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const cronSchema = z.string().trim().min(1).max(100);
const shape = {
  name: nameSchema,
  persona: personaKeySchema.nullable(),
  message: z.string().trim().min(1).max(100_000),
  cron: cronSchema.nullable(),
  timezone: z.string().min(1).max(64),
  budgetUsd: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,10})?$/, 'must be a decimal amount of US dollars')
    .nullable(),
  session: z.string().max(100),
};

/** `serviceAccountId`: in whose name it runs, instead of the caller's. */
export const createScheduleSchema = z.strictObject({
  ...shape,
  projectId: z.string(),
  name: nameSchema.optional(),
  persona: shape.persona.optional(),
  cron: shape.cron.default(null),
  timezone: shape.timezone.default('UTC'),
  budgetUsd: shape.budgetUsd.default(null),
  session: shape.session.default('new'),
  serviceAccountId: z.string().optional(),
});
export type CreateSchedule = z.infer<typeof createScheduleSchema>;

/** What is not named stays. `active` begins again with no failures. */
export const updateScheduleSchema = z
  .strictObject(shape)
  .extend({ status: z.enum(['active', 'paused']) })
  .partial();
export type UpdateSchedule = z.infer<typeof updateScheduleSchema>;

export const listSchedulesQuerySchema = z.object({ projectId: z.string() });

export const previewScheduleSchema = z.strictObject({ cron: cronSchema, timezone: shape.timezone });
/** When such a schedule would run: in words, and the next five times. */
export const schedulePreviewSchema = z.object({ words: z.string(), next: z.array(timestampSchema) });
export type SchedulePreview = z.infer<typeof schedulePreviewSchema>;

/** `secret` is shown this once: the key that requests to `url` are signed with, as Standard Webhooks says. */
export const scheduleTriggerSchema = z.object({ url: z.string(), secret: z.string() });
export type ScheduleTrigger = z.infer<typeof scheduleTriggerSchema>;

/** `repeated`: a request with that id was taken before, and nothing was started again. */
export const triggerReceiptSchema = z.object({ outcome: z.enum(['started', 'refused', 'repeated']) });
export type TriggerReceipt = z.infer<typeof triggerReceiptSchema>;
