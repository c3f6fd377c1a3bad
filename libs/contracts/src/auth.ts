import { z } from 'zod';
import { timestampSchema } from './scalar';
import { idSchema } from './id';
import { emailSchema, nameSchema, passwordSchema, teamSchema, userSchema } from './team';

export const loginSchema = z.strictObject({ email: z.string().max(254), password: z.string().max(1_000) });
export const loginResponseSchema = z.object({ accessToken: z.string(), expiresAt: timestampSchema, user: userSchema });
export type LoginResponse = z.infer<typeof loginResponseSchema>;
export const changePasswordSchema = z.strictObject({
  currentPassword: z.string().max(1_000),
  newPassword: passwordSchema,
});
export const forgotPasswordSchema = z.strictObject({ email: z.string().max(254) });
export const resetPasswordSchema = z.strictObject({ token: z.string().max(500), newPassword: passwordSchema });
export const meSchema = z.object({ user: userSchema, teams: z.array(teamSchema) });
export type Me = z.infer<typeof meSchema>;

/** A new address is proven by the password. */
export const updateMeSchema = z.strictObject({
  name: nameSchema.optional(),
  email: emailSchema.optional(),
  currentPassword: z.string().max(1_000).optional(),
});
export type UpdateMe = z.infer<typeof updateMeSchema>;

/** A sign-in on one device that has not ended. */
export const deviceSchema = z.object({
  id: idSchema('token'),
  /** What the browser or program calls itself. */
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema,
  /** Whether the request came from it. */
  current: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** What the pages before sign-in need to know. `signedIn`: the browser brings a refresh token. */
export const authOptionsSchema = z.object({ mail: z.boolean(), signedIn: z.boolean() });
export type AuthOptions = z.infer<typeof authOptionsSchema>;
