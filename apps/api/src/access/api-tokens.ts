import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { KNOWN_CLAIMS, TOKEN_CLAIMS_VERSION, type TokenClaims } from '@chirality/contracts';
import { ApiTokenRepository, type KnownToken } from '@chirality/database';
import { isWholeTokenValue } from '@chirality/domain';
import { LOG, type Logger } from '@chirality/platform';
import { problems } from '../core/problem/problems';
import type { Principal } from './principal';

/** How long connections that are open may stay after the end of their token, so that nothing is cut in mid-sentence. */
export const TOKEN_DRAIN_MS = 60_000;
const USE_NOTED_EVERY_MS = 60_000;

/** What is stored of a value, and looked up. */
export function tokenHash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The first claim that the token depends on and this release does not know; null where it knows all. */
export function unknownClaimOf({ ver, criticalClaims }: TokenClaims): string | null {
  if (ver > TOKEN_CLAIMS_VERSION) return 'ver';
  return criticalClaims.find((claim) => !KNOWN_CLAIMS.includes(claim)) ?? null;
}

/** Tokens of programs, as of now: one that was revoked a moment ago is let in nowhere. */
@Injectable()
export class ApiTokens {
  constructor(
    private readonly tokens: ApiTokenRepository,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Throws TOKEN_REVOKED, also for a value that never was one, TOKEN_EXPIRED and CRITICAL_CLAIM_UNKNOWN. */
  async ofValue(value: string, clientId: string): Promise<Principal> {
    const found = isWholeTokenValue(value) ? await this.tokens.findByHash(tokenHash(value)) : null;
    if (found === null || found.isRevoked || found.role === null) throw problems.tokenRevoked();
    const { token } = found;
    if (Date.parse(token.expiresAt) <= Date.now()) throw problems.tokenExpired();
    if (token.notBefore !== null && Date.parse(token.notBefore) > Date.now())
      throw problems.tokenExpired(`This token is good from ${token.notBefore} on. Use it then, or create another one.`);
    const unknown = unknownClaimOf(token.claims);
    if (unknown !== null) throw problems.criticalClaimUnknown(unknown);
    this.noteUse(found);
    return principalOf(found, clientId);
  }

  /** Whether there is such a token, in whatever state: what is sent with it may be long. */
  async isKnown(value: string): Promise<boolean> {
    return isWholeTokenValue(value) && (await this.tokens.findByHash(tokenHash(value))) !== null;
  }

  /** The same token with the rights of now; null when it has ended, or was taken away. */
  async reload({ token, clientId }: Principal): Promise<Principal | null> {
    return token ? this.reloadById(token.id, clientId) : null;
  }

  /** As `reload`, where only the token's id was kept. */
  async reloadById(tokenId: string, clientId: string): Promise<Principal | null> {
    const found = await this.tokens.findById(tokenId);
    if (!found || found.isRevoked || found.role === null) return null;
    return Date.parse(found.token.expiresAt) + TOKEN_DRAIN_MS <= Date.now() ? null : principalOf(found, clientId);
  }

  private noteUse({ token }: KnownToken): void {
    const lastUsedMs = token.lastUsedAt === null ? 0 : Date.parse(token.lastUsedAt);
    if (Date.now() - lastUsedMs < USE_NOTED_EVERY_MS) return;
    this.tokens.noteUse(token.id).catch((error: unknown) => this.log.warn({ err: error }, 'token.use_not_noted'));
  }
}

function principalOf({ token, user, role, projectRoles }: KnownToken, clientId: string): Principal {
  const { id, name, teamId, claims, mayMint } = token;
  return {
    user,
    roles: new Map(role === null ? [] : [[teamId, role]]),
    projectRoles,
    identityClass: token.identityClass,
    clientId,
    familyId: id,
    expiresAtMs: Date.parse(token.expiresAt),
    token: { id, name, teamId, claims, mayMint },
  };
}
