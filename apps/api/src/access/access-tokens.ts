import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService, type JwtModuleOptions } from '@nestjs/jwt';
import { isId } from '@chirality/contracts';
import { deriveKey, type Config } from '@chirality/platform';
import { z } from 'zod';
import { problems } from '../core/problem/problems';

const ACCESS_TOKEN_MS = 10 * 60_000;
const ISSUER = 'chirality';
const AUDIENCE = 'chirality-api';

const claimsSchema = z.object({
  sub: z.string().refine((value) => isId('user', value)),
  fam: z.string().min(1).max(100),
  exp: z.number().int(),
  gen: z.number().int().nonnegative().optional(),
});
/** `generation`: of the refresh token that it came with; null in tokens of an earlier release. */
export type AccessClaims = { userId: string; familyId: string; generation: number | null; expiresAtMs: number };

/** The key and the fixed claims that every access token is signed and checked with. */
export function accessTokenOptions(config: Pick<Config, 'secretKey'>) {
  return {
    // As a key object: of a buffer the library would first try to make a public key, at each check, and fail.
    secret: createSecretKey(deriveKey(config.secretKey, 'access-token')),
    signOptions: { algorithm: 'HS256', issuer: ISSUER, audience: AUDIENCE },
    verifyOptions: { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE },
  } satisfies JwtModuleOptions;
}

/** Signed statements of who signed in, good for ten minutes. Whether the sign-in still stands is asked of the database. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly lifetimeMs: number = ACCESS_TOKEN_MS,
  ) {}

  sign(
    userId: string,
    familyId: string,
    nowMs = Date.now(),
    generation = 0,
  ): { accessToken: string; expiresAtMs: number } {
    const expiresAtMs = Math.ceil((nowMs + this.lifetimeMs) / 1000) * 1000;
    const claims = {
      sub: userId,
      fam: familyId,
      gen: generation,
      iat: Math.floor(nowMs / 1000),
      exp: expiresAtMs / 1000,
    };
    return { accessToken: this.jwt.sign(claims), expiresAtMs };
  }

  /** Throws UNAUTHENTICATED for what is malformed, expired, signed by another key, or meant for something else. */
  verify(token: string): AccessClaims {
    let verified: unknown;
    try {
      verified = this.jwt.verify(token);
    } catch (error) {
      throw problems.unauthenticated(reasonOf(error));
    }
    return claimsOf(verified);
  }

  isSigned(token: string | undefined): boolean {
    try {
      return token !== undefined && this.verify(token) !== null;
    } catch {
      return false;
    }
  }
}

/** The claims of an already verified token; throws UNAUTHENTICATED when they are not of our form. */
export function claimsOf(verified: unknown): AccessClaims {
  const parsed = claimsSchema.safeParse(verified);
  if (!parsed.success) throw problems.unauthenticated('The access token is not one of this server. Sign in again.');
  const { sub, fam, exp, gen } = parsed.data;
  return { userId: sub, familyId: fam, generation: gen ?? null, expiresAtMs: exp * 1000 };
}

/** The sentence for a token that the check refused. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === 'TokenExpiredError'
    ? 'The access token has expired. Get a new one from /v1/auth/refresh.'
    : 'The access token is not valid. Sign in again.';
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
}
