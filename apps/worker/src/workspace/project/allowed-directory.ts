import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { ProblemError } from '@chirality/platform';

interface AllowedDirectory {
  /** The real path, free of symbolic links. */
  path: string;
  /** Patterns of git's exclude file for what must never be imported from it. */
  leftOut: string[];
}

/**
 * The real path of a directory that a person named as a project's source. Throws WORKING_ROOT_INACCESSIBLE unless it
 * lies under one of the allowed roots, links resolved. What lies elsewhere is refused without being looked at, so that
 * no one can probe the host. The service's own data is refused, and left out where the directory contains it.
 */
export async function resolveAllowedDirectory(
  path: string,
  allowedRoots: readonly string[],
  dataDir: string,
): Promise<AllowedDirectory> {
  if (allowedRoots.length === 0) {
    throw inaccessible(
      'This server takes no directories as projects. Its operator can allow some with CHIRALITY_ALLOWED_ROOTS.',
    );
  }
  if (!isAbsolute(path) || path.includes('\0')) throw inaccessible('The directory must be given as an absolute path.');
  const named = resolve(path);
  if (!allowedRoots.some((root) => isWithin(named, resolve(root)))) throw outside();
  const real = await realDirectory(named);
  const realRoots = await Promise.all(allowedRoots.map((root) => realpath(root).catch(() => null)));
  if (!realRoots.some((root) => root !== null && isWithin(real, root))) throw outside();
  const data = await realpath(dataDir);
  if (isWithin(real, data))
    throw inaccessible("The directory is a part of this server's own data. Choose another one.");
  return { path: real, leftOut: isWithin(data, real) ? [excludePattern(join('/', relative(real, data)))] : [] };
}

/** True when `path` is `root` or below it; both absolute and normalised. `/a/proj10` is not within `/a/proj1`. */
function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

async function realDirectory(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw inaccessible(
        `The directory ${path} cannot be read by the user that the service runs as. Give that user access to it.`,
      );
    }
  }
  throw inaccessible(`There is no directory ${path} on the server. Check the path.`);
}

function excludePattern(path: string): string {
  return `${path.replace(/[\\*?[\]!# ]/g, '\\$&')}/`;
}

function outside(): ProblemError {
  return inaccessible('The directory is not under one of the directories that this server allows. Ask its operator.');
}

function inaccessible(detail: string): ProblemError {
  return new ProblemError('WORKING_ROOT_INACCESSIBLE', detail);
}
