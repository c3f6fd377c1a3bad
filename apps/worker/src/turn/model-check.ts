import type { TurnError } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { checkUpstream } from '../gateway/upstream/check-upstream';
import { authorOf, refusedKeySentence } from '../key/account';
import type { AccountFinder } from '../key/account-finder';
import { endingOfError } from '../outcome/turn-failure';

/** Whether the model can be reached at the cost of a turn's author. */
export class ModelCheck {
  constructor(private readonly accounts: Pick<AccountFinder, 'accountOf'>) {}

  /** Null when it can. Never rejects. */
  async fault(claimed: ClaimedTurn): Promise<TurnError | null> {
    try {
      const author = authorOf(claimed);
      const account = await this.accounts.accountOf(author);
      const check = await checkUpstream(account.upstream, account.apiKey);
      if (check.ok) return null;
      const { code, detail } = check;
      return { code, detail: code === 'MODEL_AUTH_FAILED' ? refusedKeySentence(account, author, null) : detail };
    } catch (error) {
      return endingOfError(error).error ?? { code: 'HARNESS_FAILURE', detail: 'The model could not be checked.' };
    }
  }
}
