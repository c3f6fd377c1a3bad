import type { SessionToRun } from '@chirality/database';
import type { PaidBy } from '@chirality/contracts';
import type { BillingAccount } from '../gateway/serve/request-authorizer';

/** Whose work is paid for. */
export type Author = { teamId: string; userId: string; name: string };

/** The account that a user's work in a team is billed to at one moment. */
export type Account = BillingAccount & { paidBy: PaidBy; keyId: string | null };

/** Which account a process was started for: another one means another process. */
export function accountName({ paidBy, keyId }: Pick<Account, 'paidBy' | 'keyId'>): string {
  return keyId ?? paidBy;
}

/** Whose key the model's service did not take, and who changes it where; `said` is the service's own word. */
export function refusedKeySentence(
  { paidBy }: Pick<Account, 'paidBy'>,
  author: Pick<Author, 'name'>,
  said: string | null,
): string {
  const service = said === null ? '' : ` The service said: ${said}`;
  switch (paidBy) {
    case 'user':
      return `The model’s service did not accept the key of ${author.name}, who sent this. ${author.name} changes it in Settings under Keys.${service}`;
    case 'team':
      return `The model’s service did not accept the team’s key. An owner or admin changes it in Settings under Keys.${service}`;
    default:
      return `The model’s service did not accept this installation’s key. Its operator changes ANTHROPIC_API_KEY; teams and people can set their own keys in Settings under Keys.${service}`;
  }
}

/** Who pays for what a turn or a session asks. */
export function authorOf({ teamId, author }: Pick<SessionToRun, 'teamId' | 'author'>): Author {
  return { teamId, userId: author.userId, name: author.name };
}
