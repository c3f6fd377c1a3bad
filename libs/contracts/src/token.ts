import { z } from 'zod';
import { commandSchema } from './command';
import { idSchema } from './id';
import { identityClassSchema, timestampSchema } from './scalar';

/** Of the claims of a token, which a later form will raise. */
export const TOKEN_CLAIMS_VERSION = 1;

/** What narrows a token. Absent: everything that its owner may do in the team. */
const tokenClaimsSchema = z.object({
  ver: z.number().int().positive(),
  projects: z.array(idSchema('project')).optional(),
  sessions: z.array(idSchema('session')).optional(),
  commands: z.array(commandSchema).optional(),
  /** Claims that a server must know to let the token in. */
  criticalClaims: z.array(z.string()),
});
export type TokenClaims = z.infer<typeof tokenClaimsSchema>;

/** The claims that this release understands. */
export const KNOWN_CLAIMS: readonly string[] = [
  'ver',
  'teamId',
  'identityClass',
  'projects',
  'sessions',
  'commands',
  'notBefore',
  'expiresAt',
  'mayMint',
  'criticalClaims',
];

/** A token without its value, which only the answer to its creation has. */
export const apiTokenSchema = z.object({
  id: idSchema('token'),
  teamId: idSchema('team'),
  name: z.string(),
  owner: z.object({ userId: idSchema('user'), name: z.string() }),
  /** Whether its owner is a service account. */
  isOfServiceAccount: z.boolean(),
  identityClass: identityClassSchema,
  claims: tokenClaimsSchema,
  /** Whether it makes tokens that may do no more than itself. */
  mayMint: z.boolean(),
  /** The token that made it; null where a person did. */
  parentId: idSchema('token').nullable(),
  notBefore: timestampSchema.nullable(),
  expiresAt: timestampSchema,
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

const MAX_NAMED = 100;

export const createTokenSchema = z.object({
  name: z.string().trim().min(1).max(100),
  teamId: z.string(),
  /** Of the team: the token acts as that account, and is an `agent`. */
  serviceAccountId: z.string().optional(),
  identityClass: identityClassSchema,
  projects: z.array(z.string()).min(1).max(MAX_NAMED).optional(),
  sessions: z.array(z.string()).min(1).max(MAX_NAMED).optional(),
  commands: z.array(commandSchema).min(1).optional(),
  notBefore: timestampSchema.optional(),
  /** 24 hours from now where it is absent, at most a year. */
  expiresAt: timestampSchema.optional(),
  mayMint: z.boolean().default(false),
  criticalClaims: z.array(z.string().max(100)).max(50).default([]),
});
export type CreateToken = z.input<typeof createTokenSchema>;

export const createdTokenSchema = z.object({ token: apiTokenSchema, secret: z.string() });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const listTokensQuerySchema = z.object({ teamId: z.string().optional() });
