import type { GitAddress } from '@chirality/domain';

const HTTPS_PORT = 443;

/** Where a repository is, for an API: the host with its port where it is not 443, and the path without `.git`. */
export type RemoteRepository = { host: string; path: string };

const SCP_LIKE = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/;

/**
 * The repository behind an address that git takes: https, ssh or `user@host:path`. Null for what has no host with an
 * API, or a path that is none of a repository. The port of ssh says nothing about the API's.
 */
export function remoteRepositoryOf(address: string): RemoteRepository | null {
  const scp = SCP_LIKE.exec(address);
  if (scp && !address.includes('://')) return repositoryAt(scp[1] ?? '', scp[2] ?? '');
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'https:') return repositoryAt(url.host, url.pathname);
  return url.protocol === 'ssh:' ? repositoryAt(url.hostname, url.pathname) : null;
}

/** The address of its API's host, as accounts are found by. */
export function apiAddressOf(address: string): GitAddress | null {
  const repository = remoteRepositoryOf(address);
  if (!repository) return null;
  const [host = '', port] = repository.host.split(':');
  const url = `https://${repository.host}/`;
  return { url, protocol: 'https', host, port: Number(port ?? HTTPS_PORT), user: null };
}

function repositoryAt(host: string, path: string): RemoteRepository | null {
  const parts = decodedParts(path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, ''));
  // Clients put these into URLs: a segment that climbs would name another route.
  if (!parts || host === '' || parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..'))
    return null;
  return { host: host.toLowerCase().replace(/\.(?=$|:)/, ''), path: parts.join('/') };
}

function decodedParts(path: string): string[] | null {
  try {
    const parts = path.split('/').map(decodeURIComponent);
    return parts.some((part) => /[\p{Cc}/\\]/u.test(part)) ? null : parts;
  } catch {
    return null;
  }
}

/** Owner and name, which hosts without nested groups have; null where the path is deeper. */
export function ownerAndName({ path }: RemoteRepository): { owner: string; repo: string } | null {
  const [owner, repo, ...deeper] = path.split('/');
  return owner !== undefined && repo !== undefined && deeper.length === 0 ? { owner, repo } : null;
}
