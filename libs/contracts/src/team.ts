import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { optionLimitsSchema, optionsSchema } from './turn-options';

export const roleSchema = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof roleSchema>;

export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const PASSWORD_MIN_CHARS = 10;
/** A new password. Whether it is strong enough depends on its owner's name and address too: `passwordFault` says so. */
export const passwordSchema = z.string().min(1, 'Enter a password.').max(200, 'Use at most 200 characters.');

export const userSchema = z.object({
  id: idSchema('user'),
  email: z.string(),
  name: z.string(),
  mustChangePassword: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const teamSchema = z.object({
  id: idSchema('team'),
  name: z.string(),
  timezone: z.string(),
  /** Defaults of all its projects. */
  options: optionsSchema,
  /** What no turn of the team may go beyond, whatever projects allow and options ask for. */
  limits: optionLimitsSchema,
  role: roleSchema,
  createdAt: timestampSchema,
});
export type Team = z.infer<typeof teamSchema>;

export const memberSchema = z.object({
  userId: idSchema('user'),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  joinedAt: timestampSchema,
  /** `service`: a service account, which no person signs in to. */
  kind: z.enum(['person', 'service']),
});
export type Member = z.infer<typeof memberSchema>;

export const nameSchema = z.string().trim().min(1).max(100);
export const createTeamSchema = z.strictObject({ name: nameSchema, timezone: z.string().max(64).default('UTC') });
/** `options` replaces the defaults as a whole, `limits` the limits. */
export const updateTeamSchema = z.strictObject({
  name: nameSchema.optional(),
  timezone: z.string().max(64).optional(),
  options: optionsSchema.optional(),
  limits: optionLimitsSchema.optional(),
});
export type UpdateTeam = z.infer<typeof updateTeamSchema>;
export const updateMemberSchema = z.strictObject({ role: roleSchema });

export const invitationSchema = z.object({
  id: idSchema('invitation'),
  email: z.string(),
  role: roleSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  acceptedAt: timestampSchema.nullable(),
});
export type Invitation = z.infer<typeof invitationSchema>;
export const createInvitationSchema = z.strictObject({
  email: emailSchema,
  role: roleSchema.exclude(['owner']).default('member'),
});
/**
 * `token` is shown this once; the link carries it in the fragment, which no server log sees. `mailed`: it was also sent
 * to the address.
 */
export const createInvitationResponseSchema = z.object({
  invitation: invitationSchema,
  token: z.string(),
  link: z.string(),
  mailed: z.boolean(),
});
export type CreatedInvitation = z.infer<typeof createInvitationResponseSchema>;
export const invitationTokenSchema = z.strictObject({ token: z.string().max(500) });
/** What the holder of the link may know before it is used. */
export const invitationPreviewSchema = z.object({
  state: z.enum(['open', 'used', 'expired']),
  teamName: z.string(),
  /** Null when the person who invited is no longer there. */
  inviterName: z.string().nullable(),
  email: z.string(),
  role: roleSchema,
  expiresAt: timestampSchema,
  /** Whether the address has an account, which joins with its own password. */
  hasAccount: z.boolean(),
});
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;

/** What a member has in a team that another member would have to take over. */
export const belongingsSchema = z.object({
  privateSessions: z.number().int(),
  sharedSessions: z.number().int(),
  hasOwnKey: z.boolean(),
  /** Of the private ones, how many have work that is committed or pushed nowhere, or of which that is not known. */
  privateSessionsWithWork: z.number().int(),
});
export type Belongings = z.infer<typeof belongingsSchema>;
export const removeMemberQuerySchema = z.object({ handTo: z.string().optional() });
export const resetLinkSchema = z.object({ link: z.string(), expiresAt: timestampSchema, mailed: z.boolean() });
export type ResetLink = z.infer<typeof resetLinkSchema>;
/** `password`: a new one, or the one of the account that the invited address already has. */
export const acceptInvitationSchema = z.strictObject({
  name: nameSchema.optional(),
  password: z.string().min(1).max(1_000),
});
