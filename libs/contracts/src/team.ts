import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { optionsSchema } from './turn-options';

export const roleSchema = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof roleSchema>;

export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const passwordSchema = z.string().min(10, 'must have at least 10 characters').max(200);

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
});
export type Member = z.infer<typeof memberSchema>;

const nameSchema = z.string().trim().min(1).max(100);
export const createTeamSchema = z.strictObject({ name: nameSchema, timezone: z.string().max(64).default('UTC') });
/** `options` replaces the defaults as a whole. */
export const updateTeamSchema = z.strictObject({ name: nameSchema.optional(), timezone: z.string().max(64).optional(), options: optionsSchema.optional() });
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
export const createInvitationSchema = z.strictObject({ email: emailSchema, role: roleSchema.exclude(['owner']).default('member') });
/** `token` is shown this once; the link carries it in the fragment, which no server log sees. */
export const createInvitationResponseSchema = z.object({ invitation: invitationSchema, token: z.string(), link: z.string() });
export const acceptInvitationSchema = z.strictObject({ name: nameSchema.optional(), password: passwordSchema });
