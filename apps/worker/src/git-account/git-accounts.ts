import {
  untilAnswered,
  type AuditRepository,
  type GitAccountRepository,
  type SealedGitAccount,
} from '@chirality/database';
import { gitAccountSealOf, gitHostOf, type GitAddress } from '@chirality/domain';
import { ProblemError, type Logger, type SecretBox } from '@chirality/platform';
import type { OpenedGitAccount } from './opened-account';

const MARK_WITHIN_MS = 5_000;

/** Who acts, for which team, on what, and what for: that is what the audit shows of it. */
export type GitAct = {
  teamId: string;
  userId: string;
  projectId: string | null;
  what: 'fetch' | 'refresh' | 'push' | 'branches' | 'test' | 'pull-request';
};

interface Parts {
  accounts: Pick<GitAccountRepository, 'findForAct' | 'findSealed' | 'markUsed' | 'markFailed'>;
  secrets: Pick<SecretBox, 'open'>;
  audit: Pick<AuditRepository, 'recordAs'>;
  /** Reads from an error of an act that the account was refused, and why, without anything of its secret. */
  refusal(error: unknown): string | null;
  log: Logger;
}

/** Chooses what a user acts with at a git host, opens it for that act, and records how it went. */
export class GitAccounts {
  constructor(private readonly parts: Parts) {}

  /**
   * The acting user's account for the host of that address, else the team's, else null; never another user's. Throws
   * HARNESS_FAILURE when this installation's key does not open it.
   */
  async forAct(
    { teamId, userId }: Pick<GitAct, 'teamId' | 'userId'>,
    address: GitAddress,
  ): Promise<OpenedGitAccount | null> {
    const kind = address.protocol === 'ssh' ? 'ssh' : 'token';
    const found = await this.parts.accounts.findForAct({ teamId, userId, host: gitHostOf(address), kind });
    return found && this.open(found);
  }

  /** That account and no other; the caller has checked who may. Null when it is not in force. */
  async byId(accountId: string): Promise<OpenedGitAccount | null> {
    const found = await this.parts.accounts.findSealed(accountId);
    return found && this.open(found);
  }

  /**
   * Does `run` with what `forAct` answers, and records that the account acted, or why its host refused it.
   */
  async act<T>(act: GitAct, address: GitAddress, run: (account: OpenedGitAccount | null) => Promise<T>): Promise<T> {
    return this.with(act, await this.forAct(act, address), run);
  }

  /** `act`, with an account that is opened already. */
  async with<T>(
    { teamId, userId, projectId, what }: GitAct,
    account: OpenedGitAccount | null,
    run: (account: OpenedGitAccount | null) => Promise<T>,
  ): Promise<T> {
    if (account === null) return run(null);
    const { accounts, audit } = this.parts;
    const { id, scope, host, kind } = account;
    // Before the act: what dies in its middle has used the account as well.
    await audit.recordAs(userId, {
      teamId,
      action: 'git-account:use',
      object: id,
      detail: { host, scope, kind, what, ...(projectId === null ? {} : { projectId }) },
    });
    try {
      const result = await run(account);
      await this.mark(() => accounts.markUsed(id));
      return result;
    } catch (error) {
      const text = this.parts.refusal(error);
      if (text !== null) await this.mark(() => accounts.markFailed(id, text));
      throw error;
    }
  }

  /** What the act itself came to does not hang on it. */
  private async mark(write: () => Promise<void>): Promise<void> {
    await untilAnswered(write, MARK_WITHIN_MS).catch((error: Error) =>
      this.parts.log.warn({ err: error }, 'git_account.not_marked'),
    );
  }

  private open({ ownerId, sealed, ...account }: SealedGitAccount): OpenedGitAccount {
    try {
      const secret = this.parts.secrets.open(sealed, gitAccountSealOf(ownerId, account.id)).toString('utf8');
      return { ...account, secret };
    } catch {
      throw new ProblemError(
        'HARNESS_FAILURE',
        `The git account for ${account.host} cannot be opened with this installation’s key. Remove it and add it again.`,
      );
    }
  }
}
