import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ProjectRepository, PullRequestRepository, SessionRepository } from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import type { GitAccounts } from '../git-account/git-accounts';
import { HostKinds } from '../git-host/call/detect-kind';
import { apiAddressOf } from '../git-host/call/remote-repository';
import { gitHostOpener } from '../git-host/client/open-git-host';
import { PullRequestActs, type HostAccounts } from '../pull-request/pull-request-acts';
import { PullRequestJobs } from '../pull-request/pull-request-jobs';
import type { Network } from './create-network';
import type { Remotes } from './create-remotes';
import type { Storage } from './create-storage';

/** What speaks with the APIs of git hosts, through the same check of addresses as git, and in whose name. */
export function createPullRequests(
  config: Config,
  { database, eventLog, messaging }: Storage,
  { destinations }: Network,
  { accounts }: Remotes,
  log: Logger,
): { acts: PullRequestActs; jobs: PullRequestJobs } {
  const caFile = config.testAuthorities ?? config.caFile;
  const network = {
    network: destinations,
    authorities: caFile === null ? null : [...rootCertificates, readFileSync(caFile, 'utf8')],
  };
  const acts = new PullRequestActs({
    pullRequests: new PullRequestRepository(database),
    sessions: new SessionRepository(database, eventLog),
    projects: new ProjectRepository(database),
    accounts: hostAccounts(accounts),
    openHost: gitHostOpener(network, new HostKinds(network)),
    onOpened: (sessionId) => messaging.sessionChanges.publish({ sessionId, mayBeHidden: false, pullRequest: true }),
    log,
  });
  return { acts, jobs: new PullRequestJobs(acts, log) };
}

/** A repository that git reaches over ssh has its API at the same name over https, where a token signs in. */
function hostAccounts(accounts: Pick<GitAccounts, 'act' | 'forAct'>): HostAccounts {
  return {
    act: ({ address, ...who }, run) => {
      const api = apiAddressOf(address);
      if (!api) return run(null);
      return accounts.act({ ...who, what: 'pull-request' }, api, (account) =>
        run(account && { token: account.secret }),
      );
    },
    look: async ({ address, ...who }, run) => {
      const api = apiAddressOf(address);
      const account = api && (await accounts.forAct(who, api));
      return run(account && { token: account.secret });
    },
  };
}
