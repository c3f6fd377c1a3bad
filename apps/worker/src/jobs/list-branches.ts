import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { GitAccounts } from '../git-account/git-accounts';
import { FetchFailedError } from '../workspace/project/fetch-failure';
import type { RemoteRepositories } from '../workspace/transport/remote-repositories';
import { problemOfFailure } from '../workspace/transport/transport-failure';

type Job = Extract<WorkspaceJob, { act: 'list-branches' }>;
export type ListBranches = (job: Job) => Promise<Extract<WorkspaceReply, { act: 'list-branches' }>>;

/** What a remote has, with the account that is tested or the one that an act would choose. Throws ProblemError. */
export function branchLister(
  remotes: Pick<RemoteRepositories, 'branches'>,
  accounts: Pick<GitAccounts, 'byId'>,
): ListBranches {
  return async ({ who, ofProject, accountId, url }) => {
    const account = accountId === null ? undefined : await accounts.byId(accountId);
    if (account === null) throw new ProblemError('NOT_FOUND', 'There is no such git account.');
    try {
      const act = { ...who, projectId: ofProject, what: account ? ('test' as const) : ('branches' as const) };
      return { act: 'list-branches', branches: await remotes.branches(act, url, account) };
    } catch (error) {
      throw error instanceof FetchFailedError ? problemOfFailure(error.failure) : error;
    }
  };
}
