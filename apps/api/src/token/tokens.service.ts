import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ApiToken, CreatedToken, Page } from '@chirality/contracts';
import { ApiTokenRepository, ServiceAccountRepository } from '@chirality/database';
import { newId, TOKEN_RANDOM_BYTES, tokenValueOf } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import { tokenHash } from '../access/api-tokens';
import { serviceAccountPolicy } from '../service-account/service-account.policy';
import { roleIn, teamIdsOf, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { requireFewTokens } from './few-tokens';
import { TokenClaimsService, type WantedToken } from './token-claims.service';

/** Tokens of programs, in the name of the person who made them. */
@Injectable()
export class TokensService {
  constructor(
    private readonly tokens: ApiTokenRepository,
    private readonly accounts: ServiceAccountRepository,
    private readonly claims: TokenClaimsService,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** One's own, and all of the teams that one manages. */
  async list(who: Principal, teamId: string | undefined): Promise<Page<ApiToken>> {
    if (teamId !== undefined && roleIn(who, teamId) === null) throw problems.notFound('team');
    const managed = teamIdsOf(who).filter((id) => teamPolicy.manage(who, { id }));
    const all = await this.tokens.list(who.user.id, managed);
    return wholePage(all.filter((token) => who.roles.has(token.teamId) && (teamId ?? token.teamId) === token.teamId));
  }

  /** Viewers look on in person; programs of theirs would have nothing to do. */
  async create(who: Principal, wanted: WantedToken): Promise<CreatedToken> {
    const { teamId, name } = wanted;
    if (roleIn(who, teamId) === null) throw problems.notFound('team');
    if (!teamPolicy.contribute(who, { id: teamId })) throw problems.forbidden('create tokens', teamId);
    const ownerId = await this.ownerOf(who, wanted);
    const granted = await this.claims.grant(who, wanted);
    await requireFewTokens(this.tokens, ownerId);
    const secret = tokenValueOf(randomBytes(TOKEN_RANDOM_BYTES));
    const token = await this.tokens.create({
      id: newId('token'),
      teamId,
      userId: ownerId,
      maker: who.token === undefined ? { familyId: who.familyId, userId: who.user.id } : { tokenId: who.token.id },
      name,
      secretHash: tokenHash(secret),
      ...granted,
    });
    if (token === null) throw who.token === undefined ? problems.unauthenticated() : problems.tokenRevoked();
    const { identityClass, claims, expiresAt, mayMint } = token;
    await this.audit.note(who, teamId, {
      action: 'token:create',
      object: token.id,
      detail: {
        name,
        identityClass,
        claims,
        expiresAt,
        mayMint,
        ...(ownerId === who.user.id ? {} : { serviceAccount: token.owner.name }),
      },
    });
    return { token, secret };
  }

  /** In whose name the token will act: one's own, or that of a service account that one answers for. */
  private async ownerOf(who: Principal, { teamId, serviceAccountId, identityClass }: WantedToken): Promise<string> {
    if (serviceAccountId === undefined) return who.user.id;
    if (who.token !== undefined)
      throw problems.tokenScope('A token makes tokens in its own name only. Sign in to make one of a service account.');
    const account = await this.accounts.find(serviceAccountId);
    if (account?.teamId !== teamId || !serviceAccountPolicy.use(who, account))
      throw problems.notFound('service account');
    if (identityClass !== 'agent')
      throw new ProblemError(
        'VALIDATION_FAILED',
        'A service account is no person: its tokens are of the class agent.',
        { errors: [{ path: 'identityClass', message: 'Choose agent.' }] },
      );
    return account.id;
  }

  /** For its owner and those who manage the team; a token ends itself. */
  async revoke(who: Principal, tokenId: string): Promise<void> {
    const found = await this.tokens.findById(knownId('token', tokenId));
    if (!found || found.isRevoked || !(await this.mayRevoke(who, found.token))) throw problems.notFound('token');
    for (const { id, userId } of await this.tokens.revoke(found.token.id)) this.changes.tell({ userId, familyId: id });
    await this.audit.note(who, found.token.teamId, {
      action: 'token:revoke',
      object: found.token.id,
      detail: { name: found.token.name, owner: found.token.owner.name },
    });
  }

  private async mayRevoke(who: Principal, { id, teamId, owner, isOfServiceAccount }: ApiToken): Promise<boolean> {
    if (who.token !== undefined) return who.token.id === id;
    if (roleIn(who, teamId) === null) return false;
    if (owner.userId === who.user.id || teamPolicy.manage(who, { id: teamId })) return true;
    const account = isOfServiceAccount ? await this.accounts.find(owner.userId) : null;
    return account !== null && serviceAccountPolicy.use(who, account);
  }
}
