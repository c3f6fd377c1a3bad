import { Inject, Injectable } from '@nestjs/common';
import type { LoginResponse, User } from '@chirality/contracts';
import { RefreshFamilyRepository, UserRepository } from '@chirality/database';
import { CONFIG, deriveKey, type Config } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import { AccessTokens, bearerToken } from '../access/access-tokens';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import type { Client } from './client';
import { LoginAttempts } from './login-attempts';
import { verifyPassword } from './passwords';
import { readRefreshToken, REFRESH_FAMILY_MS, refreshTokenOf, REPLACED_TOKEN_GRACE_MS } from './refresh-token';

/** A person who has just proven who they are, by the password that was set then. */
export type ProvenUser = { user: User; credentialsValidFrom: Date };

export type SignIn = { answer: LoginResponse; refreshToken: string; refreshExpiresAt: Date };

/** By what a sign-in was made, as the audit log says. */
type SignInMethod = 'password' | 'invitation' | 'password_change';

/** A sign-in on one device: begun by a password, carried on by the refresh token, ended by logging out. */
@Injectable()
export class SignInService {
  private readonly refreshKey: Buffer;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly users: UserRepository,
    private readonly families: RefreshFamilyRepository,
    private readonly tokens: AccessTokens,
    private readonly attempts: LoginAttempts,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {
    this.refreshKey = deriveKey(config.secretKey, 'refresh-token');
  }

  /**
   * The account behind these credentials. One answer, after the same work, for a wrong password and an unknown address.
   */
  async prove(email: string, password: string, client: Client): Promise<ProvenUser> {
    const address = email.trim().toLowerCase();
    const account = address.includes('\0') ? null : await this.users.findByEmail(address);
    const giveBack = await this.attempts.take({ email: address, userId: account?.id ?? null }, client);
    const proven = await verifyPassword(account?.passwordHash ?? null, password);
    if (!account || !proven) {
      if (account)
        await this.audit.recordForPerson(account.id, {
          action: 'user:sign-in-fail',
          object: account.id,
          detail: placeOf(client),
        });
      throw problems.unauthenticated('E-mail address or password is wrong.');
    }
    await giveBack();
    return { user: userOf(account), credentialsValidFrom: account.credentialsValidFrom };
  }

  /** Throws UNAUTHENTICATED when the password was changed since it was proven. */
  async begin({ user, credentialsValidFrom }: ProvenUser, client: Client, method: SignInMethod): Promise<SignIn> {
    const family = await this.families.create({ id: user.id, credentialsValidFrom }, REFRESH_FAMILY_MS, client);
    if (!family) throw problems.unauthenticated('The password was changed meanwhile. Sign in again.');
    await this.audit.recordForPerson(user.id, {
      action: 'user:sign-in',
      object: family.familyId,
      detail: { ...placeOf(client), method },
    });
    return this.signedIn(user, family.familyId, family.generation, family.expiresAt);
  }

  /** Throws UNAUTHENTICATED for whatever is not the newest token of a living sign-in, or the one just replaced. */
  async refresh(token: string | null, client: Client): Promise<SignIn> {
    const presented = token === null ? null : readRefreshToken(this.refreshKey, token);
    if (!presented) throw problems.unauthenticated('There is no sign-in on this device. Sign in.');
    const rotated = await this.families.rotate(
      presented.familyId,
      presented.generation,
      REPLACED_TOKEN_GRACE_MS,
      client.address,
    );
    if (rotated.outcome === 'reused') {
      this.changes.tell({ userId: rotated.userId });
      await this.audit.recordForPerson(rotated.userId, {
        action: 'user:token-replay',
        object: presented.familyId,
        detail: placeOf(client),
      });
    }
    if (rotated.outcome === 'reused' || rotated.outcome === 'refused')
      throw problems.unauthenticated('This sign-in has ended. Sign in again.');
    const account = await this.users.findById(rotated.userId);
    if (!account) throw problems.unauthenticated('This sign-in has ended. Sign in again.');
    return this.signedIn(userOf(account), presented.familyId, rotated.generation, rotated.expiresAt);
  }

  /** Ends the sign-in that the cookie or the access token belongs to; neither is no fault. */
  async end(token: string | null, authorization: string | undefined, client: Client): Promise<void> {
    const families = new Set([this.familyOfRefreshToken(token), this.familyOfAccessToken(authorization)]);
    for (const familyId of families) {
      if (familyId === null) continue;
      const userId = await this.families.revoke(familyId);
      this.changes.tell({ familyId });
      if (userId !== null)
        await this.audit.recordForPerson(userId, {
          action: 'user:sign-out',
          object: familyId,
          detail: placeOf(client),
        });
    }
  }

  /** Whether a browser brings a refresh token at all. It may have ended: only a renewal finds that out. */
  isSignedToken(token: string | null): boolean {
    return this.familyOfRefreshToken(token) !== null;
  }

  private familyOfRefreshToken(token: string | null): string | null {
    return token === null ? null : (readRefreshToken(this.refreshKey, token)?.familyId ?? null);
  }

  private familyOfAccessToken(authorization: string | undefined): string | null {
    try {
      return this.tokens.verify(bearerToken(authorization) ?? '').familyId;
    } catch {
      return null;
    }
  }

  private signedIn(user: User, familyId: string, generation: number, refreshExpiresAt: Date): SignIn {
    const { accessToken, expiresAtMs } = this.tokens.sign(user.id, familyId, Date.now(), generation);
    return {
      answer: { accessToken, expiresAt: new Date(expiresAtMs).toISOString(), user },
      refreshToken: refreshTokenOf(this.refreshKey, { familyId, generation }),
      refreshExpiresAt,
    };
  }
}

function placeOf({ address, userAgent }: Client): Record<string, unknown> {
  return { address, userAgent };
}

function userOf({ id, email, name, mustChangePassword }: User): User {
  return { id, email, name, mustChangePassword };
}
