import { NO_PRIVATE_HOSTS, type PrivateHosts } from '../egress/private-hosts';
import { parseGitAddress, type GitAddress } from './git-address';

const USUAL = { https: 443, ssh: 22 } as const;
const SCP_LIKE = /^([^@:/]+@[^@:/]+):(.*)$/;

/**
 * Where a submodule is fetched from, given the address of the repository that names it: only from the same host, by the
 * protocol of that repository where both are on their usual ports. Else a sentence for people that says why not, which
 * never repeats the address, since it may hold a secret.
 */
export function submoduleAddress(
  parent: GitAddress,
  given: string,
  privateHosts: PrivateHosts = NO_PRIVATE_HOSTS,
): GitAddress | string {
  const text = given.trim();
  if (/^\.\.?(?:\/|$)/.test(text)) return relativeAddress(parent, text, privateHosts);
  if (text === '' || text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text) || /^file:/i.test(text))
    return 'its address is a path of another machine';
  const address = parseGitAddress(text, privateHosts);
  if (address === null) return 'its address is none that is fetched: only https and ssh are, without credentials';
  if (leadsUp(pathOf(address))) return 'its address has .. in its path';
  if (address.host !== parent.host) return `it is on another host (${address.host})`;
  if (address.protocol === parent.protocol)
    return address.port === parent.port ? address : `it is on another port of the host (${address.port})`;
  if (address.port !== USUAL[address.protocol] || parent.port !== USUAL[parent.protocol])
    return 'it is on another port of the host';
  return withPath(parent, pathOf(address), privateHosts) ?? 'its address cannot be used';
}

/**
 * Whether a submodule is beside its project at the host, or below that place: in the same group or organisation. Who
 * can write to the project names any repository of the host; with the account of another person it is fetched only
 * there.
 */
export function isBesideProject(project: GitAddress, submodule: GitAddress): boolean {
  const folder = pathOf(project).replace(/\/+$/, '').split('/').slice(0, -1);
  const parts = pathOf(submodule).split('/');
  return !leadsUp(pathOf(submodule)) && folder.every((part, at) => parts[at] === part);
}

function relativeAddress(parent: GitAddress, given: string, privateHosts: PrivateHosts): GitAddress | string {
  const path = pathOf(parent).split('/').filter(Boolean);
  const steps = given.split('/');
  while (steps[0] === '.' || steps[0] === '..') {
    if (steps.shift() === '..' && path.pop() === undefined) return 'its address leads above the host';
  }
  const rest = steps.filter(Boolean);
  if (leadsUp(rest.join('/'))) return 'its address has .. in its path';
  const full = [...path, ...rest];
  if (full.length === 0) return 'its address leads above the host';
  return withPath(parent, full.join('/'), privateHosts) ?? 'its address cannot be used';
}

/** Without a slash before it. */
function pathOf({ url }: GitAddress): string {
  const path = SCP_LIKE.exec(url)?.[2] ?? url.replace(/^[a-z]+:\/\/[^/]*/, '');
  return path.replace(/^\/+/, '');
}

function withPath(parent: GitAddress, path: string, privateHosts: PrivateHosts): GitAddress | null {
  const [, before, own = ''] = SCP_LIKE.exec(parent.url) ?? [];
  const start =
    before === undefined
      ? `${/^[a-z]+:\/\/[^/]*/.exec(parent.url)?.[0] ?? ''}/`
      : `${before}:${own.startsWith('/') ? '/' : ''}`;
  const address = parseGitAddress(start + path, privateHosts);
  return address?.host === parent.host && address.port === parent.port ? address : null;
}

function leadsUp(path: string): boolean {
  return path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
}
