import { z } from 'zod';
import { commandSchema } from './command';
import { idSchema } from './id';
import { timestampSchema } from './scalar';

/** Days that a token of a device may last; the person who allows it sees which. */
const MAX_DEVICE_TOKEN_DAYS = 90;

/** A program asks to be signed in by a person in a browser (RFC 8628). */
export const requestDeviceCodeSchema = z.strictObject({
  /** What the program calls itself, which the person reads. */
  clientName: z.string().trim().min(1).max(100).default('A program'),
  /** What it will do; absent: everything that a token can do. */
  commands: z.array(commandSchema).min(1).optional(),
  /** How long the token shall be good. */
  lifetimeDays: z.number().int().min(1).max(MAX_DEVICE_TOKEN_DAYS).default(30),
});

/** `deviceCode` is the program's secret; `userCode` is typed by the person at `verificationUri`. Times in seconds. */
export const deviceCodeSchema = z.object({
  deviceCode: z.string(),
  userCode: z.string(),
  verificationUri: z.string(),
  interval: z.number().int().positive(),
  expiresIn: z.number().int().positive(),
});
export type DeviceCode = z.infer<typeof deviceCodeSchema>;

export const redeemDeviceCodeSchema = z.strictObject({ deviceCode: z.string().max(200) });

/** As people type it: small letters and blanks do not matter. */
const userCodeSchema = z.string().max(40);
export const findDeviceRequestSchema = z.strictObject({ userCode: userCodeSchema });

/** Who asks, as the person sees it before they answer. */
export const deviceRequestSchema = z.object({
  id: idSchema('deviceCode'),
  clientName: z.string(),
  /** Where the program runs, as far as its connection says. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  commands: z.array(commandSchema).nullable(),
  lifetimeDays: z.number().int().positive(),
  requestedAt: timestampSchema,
  expiresAt: timestampSchema,
});
export type DeviceRequest = z.infer<typeof deviceRequestSchema>;

/** The code again, so that knowing an id alone decides nothing. */
export const answerDeviceRequestSchema = z.discriminatedUnion('decision', [
  z.strictObject({ userCode: userCodeSchema, decision: z.literal('allow'), teamId: z.string() }),
  z.strictObject({ userCode: userCodeSchema, decision: z.literal('deny') }),
]);
export type AnswerDeviceRequest = z.infer<typeof answerDeviceRequestSchema>;
