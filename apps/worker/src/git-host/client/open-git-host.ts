import { ProblemError } from '@chirality/platform';
import type { HostKinds } from '../call/detect-kind';
import type { GitHost, HostCredential } from './git-host.types';
import { GiteaHost } from './gitea-host';
import { GitHubHost } from './github-host';
import { GitlabHost } from './gitlab-host';
import type { HostNetwork } from '../call/host-request';
import { ownerAndName, remoteRepositoryOf } from '../call/remote-repository';

export type OpenGitHost = (
  address: string,
  credential: HostCredential | null,
  deadline?: AbortSignal,
) => Promise<GitHost>;

/**
 * The host of a repository, by the API that it speaks; from `deadline` on it is not called. Throws a ProblemError where
 * it speaks none, else HostCallError.
 */
export function gitHostOpener(anytime: HostNetwork, kinds: Pick<HostKinds, 'of'>): OpenGitHost {
  return async (address, credential, deadline) => {
    const network = deadline ? { ...anytime, deadline } : anytime;
    const repository = remoteRepositoryOf(address);
    if (!repository) throw unsupported('The project’s files come from no git host');
    const kind = await kinds.of(repository.host);
    if (kind === null)
      throw unsupported(`${repository.host} speaks none of the APIs of GitHub, GitLab, Gitea and Forgejo`);
    if (kind === 'gitlab') return new GitlabHost(repository, network, credential);
    const named = ownerAndName(repository);
    if (!named)
      throw new ProblemError('GIT_NOT_FOUND', `${repository.host} has no repository of that path. Check the address.`);
    const place = { host: repository.host, ...named };
    return kind === 'github' ? new GitHubHost(place, network, credential) : new GiteaHost(place, network, credential);
  };
}

function unsupported(why: string): ProblemError {
  return new ProblemError(
    'PULL_REQUEST_FAILED',
    `${why}, so no pull request can be opened from here. Push the branch and open it on the host.`,
  );
}
