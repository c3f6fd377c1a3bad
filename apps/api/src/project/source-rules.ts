import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ProjectSource } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';

/** The source as it is stored, or a refusal: only https git addresses without credentials, only directories under an allowed root. */
export async function refuseUnusableSource(source: ProjectSource, allowedRoots: readonly string[]): Promise<ProjectSource> {
  switch (source.kind) {
    case 'empty':
      return source;
    case 'upload':
      throw new ProblemError('VALIDATION_FAILED', 'Uploads are not supported yet. Make an empty project, or give a git address.');
    case 'git':
      return { kind: 'git', url: usableGitUrl(source.url) };
    case 'directory':
      return { kind: 'directory', path: await allowedDirectory(source.path, allowedRoots) };
  }
}

/** Whether the host may be reached is asked again by the worker, after resolving it and at every redirect. */
export function usableGitUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.protocol !== 'https:') throw new ProblemError('VALIDATION_FAILED', 'The git address must start with https://.');
  if (url.username !== '' || url.password !== '') throw new ProblemError('VALIDATION_FAILED', 'The git address must hold no user name or password.');
  if (isInward(url.hostname)) throw new ProblemError('VALIDATION_FAILED', 'The git address must name a public host.');
  return url.href;
}

function isInward(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || name.endsWith('.local') || name.endsWith('.internal') || !name.includes('.') || /^[\d.]+$/.test(name) || name.startsWith('[');
}

/** The directory itself, links resolved; one answer for what is not there and what is not allowed. */
async function allowedDirectory(path: string, allowedRoots: readonly string[]): Promise<string> {
  const refusal = new ProblemError('WORKING_ROOT_INACCESSIBLE', 'The directory is not there or not under an allowed root (CHIRALITY_ALLOWED_ROOTS).');
  if (!isAbsolute(path) || path.includes('\0')) throw refusal;
  const [real, ...roots] = await Promise.all([path, ...allowedRoots].map((one) => realpath(resolve(one)).catch(() => null)));
  if (!real || !roots.some((root) => root !== null && isWithin(root, real))) throw refusal;
  return real;
}

function isWithin(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside));
}
