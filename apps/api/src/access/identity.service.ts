import { Injectable } from '@nestjs/common';
import { IdentityRepository, RefreshFamilyRepository } from '@chirality/database';
import { isTokenValue } from '@chirality/domain';
import { problems } from '../core/problem/problems';
import { AccessTokens, type AccessClaims } from './access-tokens';
import { ApiTokens } from './api-tokens';
import type { Principal } from './principal';

/**
 * Who a token speaks for, as of now: a sign-in that was ended, as a new password ends all of them, voids it at once.
 */
@Injectable()
export class IdentityService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly families: RefreshFamilyRepository,
    private readonly tokens: AccessTokens,
    private readonly apiTokens: ApiTokens,
  ) {}

  /** Throws UNAUTHENTICATED. */
  ofToken(token: string, clientId: string): Promise<Principal> {
    if (isTokenValue(token)) return this.apiTokens.ofValue(token, clientId);
    return this.ofClaims(this.tokens.verify(token), clientId);
  }

  /** Throws UNAUTHENTICATED. */
  async ofClaims(claims: AccessClaims, clientId: string): Promise<Principal> {
    const principal = await this.read(claims, clientId);
    if (!principal) throw problems.unauthenticated('This sign-in has ended. Sign in again.');
    return principal;
  }

  /** The same person with the roles of now; null when the sign-in has ended. */
  reload(who: Principal): Promise<Principal | null> {
    if (who.token !== undefined) return this.apiTokens.reload(who);
    return this.read(
      { userId: who.user.id, familyId: who.familyId, generation: null, expiresAtMs: who.expiresAtMs },
      who.clientId,
    );
  }

  private async read(
    { userId, familyId, generation, expiresAtMs }: AccessClaims,
    clientId: string,
  ): Promise<Principal | null> {
    const identity = await this.identities.find(userId, familyId);
    if (!identity?.signedIn) return null;
    // A client that uses the token has received the answer that it came with: the refresh token before it is good for
    // nothing from now on.
    if (generation !== null && generation > identity.confirmedGeneration)
      await this.families.confirm(familyId, generation);
    const { user, roles, projectRoles } = identity;
    return { user, roles, projectRoles, identityClass: 'human', clientId, familyId, expiresAtMs };
  }
}
