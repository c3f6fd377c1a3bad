import { Injectable } from '@nestjs/common';
import { IdentityRepository, type StoredQueueItem } from '@chirality/database';
import { ApiTokens } from '../access/api-tokens';
import type { Principal } from '../access/principal';

/** Who a message of the queue speaks for, with the rights of the moment in which it is asked. */
@Injectable()
export class QueuePrincipals {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly tokens: ApiTokens,
  ) {}

  /** Null where the token that it was sent with has ended, or the person is gone. */
  async of({ author, clientId, tokenId }: StoredQueueItem): Promise<Principal | null> {
    if (tokenId !== null) return this.tokens.reloadById(tokenId, clientId);
    const identity = await this.identities.find(author.userId, '');
    if (!identity) return null;
    const { user, roles, projectRoles } = identity;
    return { user, roles, projectRoles, identityClass: 'human', clientId, familyId: '', expiresAtMs: Infinity };
  }
}
