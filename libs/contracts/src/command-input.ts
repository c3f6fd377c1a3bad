import { z } from 'zod';
import type { Command } from './command';
import { customEventSchema, eventsQuerySchema } from './event';
import { createSessionSchema } from './session';
import { permissionAnswerSchema } from './socket';
import { createTurnSchema } from './turn';
import { optionsSchema } from './turn-options';
import { usageQuerySchema } from './usage';

const session = z.string().max(100);
const ofSession = z.strictObject({ session });

/** What each command takes, whichever transport brings it. Where REST has a body, the members are those of the body. */
export const COMMAND_INPUTS = {
  'session:create': createSessionSchema,
  'session:attach': z.strictObject({ session, after: z.number().int().nonnegative().default(0) }),
  'session:detach': ofSession,
  'session:end': ofSession,
  /** Null: what persona, project or team say. */
  'session:set_model': z.strictObject({ session, model: optionsSchema.shape.model.unwrap().nullable() }),
  /** `wait`: answered once the turn is final. */
  'turn:send': createTurnSchema.extend({
    session,
    idempotencyKey: z.string().optional(),
    wait: z.boolean().default(false),
  }),
  'turn:interrupt': ofSession,
  'permission:answer': permissionAnswerSchema,
  'plan:enter': ofSession,
  'plan:exit': ofSession,
  'events:read': eventsQuerySchema.extend({ session }).strict(),
  'usage:read': usageQuerySchema.omit({ format: true }).strict(),
  custom: customEventSchema.extend({ session }),
} satisfies Record<Command, z.ZodObject>;
export type CommandInput<C extends Command> = z.output<(typeof COMMAND_INPUTS)[C]>;

/** Something in a command that was left out of account. */
export type CommandWarning = { code: 'UNKNOWN_FIELD'; field: string; detail: string };
