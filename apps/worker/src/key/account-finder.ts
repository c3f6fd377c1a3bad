import type { ModelKeyRepository } from '@chirality/database';
import { modelKeySealOf, RIGHTS_ENDED } from '@chirality/domain';
import { SecretBoxError, type SecretBox } from '@chirality/platform';
import { TurnFailure } from '../outcome/turn-failure';
import type { ModelUpstreams } from '../gateway/upstream/model-upstreams';
import type { Account, Author } from './account';

/**
 * Finds the billing account: the author's own key in the team, else the team's, else the installation's, else the demo
 * model. Reads the rows each time, so that a changed key, a removed one and a removed member count from the next
 * request on. A key is opened here and kept nowhere.
 */
export class AccountFinder {
  constructor(
    private readonly keys: Pick<ModelKeyRepository, 'findPaying'>,
    private readonly secrets: SecretBox,
    private readonly upstreams: ModelUpstreams,
  ) {}

  /** Rejects with a TurnFailure where no account may be billed, and with the database's error while that is away. */
  async accountOf(author: Author): Promise<Account> {
    const paying = await this.keys.findPaying(author.teamId, author.userId);
    if (paying === 'may_not_work') throw new TurnFailure(RIGHTS_ENDED);
    if (paying === null) return this.ofInstallation();
    return {
      paidBy: paying.scope,
      keyId: paying.id,
      apiKey: this.open(paying.id, paying.sealed, paying.scope),
      upstream: this.upstreams.service,
      demo: false,
    };
  }

  private ofInstallation(): Account {
    const { service, serviceKey, demo } = this.upstreams;
    if (demo !== null) return { paidBy: 'demo', keyId: null, apiKey: '', upstream: demo, demo: true };
    return { paidBy: 'service', keyId: null, apiKey: serviceKey ?? '', upstream: service, demo: false };
  }

  private open(keyId: string, sealed: Buffer, scope: 'team' | 'user'): string {
    try {
      return this.secrets.open(sealed, modelKeySealOf(keyId)).toString('utf8');
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      // Another account must not be billed in its place silently.
      throw new TurnFailure({
        code: 'MODEL_AUTH_FAILED',
        detail: `${scope === 'user' ? 'Your key' : 'The team’s key'} was stored under another secret key of this installation and cannot be read. Enter it again in Settings under Keys.`,
      });
    }
  }
}
