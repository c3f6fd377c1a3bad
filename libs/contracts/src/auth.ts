import { z } from 'zod';
import { timestampSchema } from './scalar';
import { passwordSchema, teamSchema, userSchema } from './team';

export const loginSchema = z.strictObject({ email: z.string().max(254), password: z.string().max(1_000) });
export const loginResponseSchema = z.object({ accessToken: z.string(), expiresAt: timestampSchema, user: userSchema });
export type LoginResponse = z.infer<typeof loginResponseSchema>;
export const changePasswordSchema = z.strictObject({ currentPassword: z.string().max(1_000), newPassword: passwordSchema });
export const forgotPasswordSchema = z.strictObject({ email: z.string().max(254) });
export const resetPasswordSchema = z.strictObject({ token: z.string().max(500), newPassword: passwordSchema });
export const meSchema = z.object({ user: userSchema, teams: z.array(teamSchema) });
export type Me = z.infer<typeof meSchema>;
