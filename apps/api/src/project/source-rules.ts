import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ProjectSource } from '@chirality/contracts';
import { isBranchName, parseGitAddress, whyNoGitAddress, type PrivateHosts } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

/**
 * The source as it is stored, or a refusal: only git addresses over https or ssh at public names, or those that the
 * operator lists, and without credentials, only directories under an allowed root.
 */
export async function refuseUnusableSource(
  source: ProjectSource,
  { allowedRoots, privateHosts }: { allowedRoots: readonly string[]; privateHosts: PrivateHosts },
): Promise<ProjectSource> {
  switch (source.kind) {
    case 'empty':
    case 'upload':
      return source;
    case 'git':
      return {
        kind: 'git',
        url: usableGitUrl(source.url, privateHosts),
        ...(source.branch === undefined ? {} : { branch: usableBranch(source.branch) }),
      };
    case 'directory':
      return { kind: 'directory', path: await allowedDirectory(source.path, allowedRoots) };
  }
}

/** Where the name leads is looked at when it is fetched, by the proxy that is the only way there. */
export function usableGitUrl(given: string, privateHosts: PrivateHosts): string {
  const why = whyNoGitAddress(given, privateHosts);
  const address = parseGitAddress(given, privateHosts);
  if (why !== null || !address) throw new ProblemError('VALIDATION_FAILED', why ?? 'The git address cannot be used.');
  return address.url;
}

function usableBranch(given: string): string {
  const branch = given.trim();
  if (isBranchName(branch)) return branch;
  throw new ProblemError('VALIDATION_FAILED', 'This is not the name of a branch. Enter it without refs/heads/.');
}

/** The directory itself, links resolved; one answer for what is not there and what is not allowed. */
async function allowedDirectory(path: string, allowedRoots: readonly string[]): Promise<string> {
  const refusal = new ProblemError(
    'WORKING_ROOT_INACCESSIBLE',
    'The directory is not there or not under an allowed root (CHIRALITY_ALLOWED_ROOTS).',
  );
  if (!isAbsolute(path) || path.includes('\0')) throw refusal;
  const [real, ...roots] = await Promise.all(
    [path, ...allowedRoots].map((one) => realpath(resolve(one)).catch(() => null)),
  );
  if (!real || !roots.some((root) => root !== null && isWithin(root, real))) throw refusal;
  return real;
}

function isWithin(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside));
}
