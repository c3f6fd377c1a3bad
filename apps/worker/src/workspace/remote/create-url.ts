import { gitHostOf, parseGitAddress, type GitAddress } from '@chirality/domain';

type Form = (repository: string, branch: string) => string;

/** By what is in the name of a host that offers to open a request by an address. */
const FORMS: [RegExp, Form][] = [
  [/(?:^|\.)github\./, (repository, branch) => `${repository}/pull/new/${encoded(branch)}`],
  [
    /gitlab/,
    (repository, branch) =>
      `${repository}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`,
  ],
  [/bitbucket/, (repository, branch) => `${repository}/pull-requests/new?source=${encodeURIComponent(branch)}`],
  [/gitea|forgejo|codeberg/, (repository, branch) => `${repository}/compare/${encoded(branch)}`],
];

/**
 * Where a pull or merge request of the branch can be opened: an address of the remote's host that it offered itself, or
 * one of the form that such hosts have. Null where neither is known.
 */
export function createUrlOf(remote: string, branch: string, said: string): string | null {
  const address = parseGitAddress(remote);
  if (!address) return null;
  return offered(said, address.host) ?? byForm(address, branch);
}

function offered(said: string, host: string): string | null {
  for (const [text] of said.matchAll(/https:\/\/[^\s"'<>]+/g)) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && url.hostname === host && url.username === '' && /pull|merge|compare/.test(url.pathname + url.search))
      return url.href;
  }
  return null;
}

function byForm(address: GitAddress, branch: string): string | null {
  const form = FORMS.find(([name]) => name.test(address.host))?.[1];
  if (!form) return null;
  const path = /^(?:\w+:\/\/[^/]+\/|[^:/]+:\/?)(.*?)(?:\.git)?\/*$/.exec(address.url)?.[1] ?? '';
  const host = address.protocol === 'https' ? gitHostOf(address) : address.host;
  return form(`https://${host}/${path}`, branch);
}

function encoded(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}
