import { ProblemError } from '@chirality/platform';
import { pathBytes, pathText } from '../script/path-text';

const PATH_MAX_BYTES = 4_096;
const NAME_MAX_BYTES = 255;

/**
 * A path that a person gave, as `pathText` writes it, relative to a workspace's root: '' is the root. Throws
 * VALIDATION_FAILED for what cannot be such a path and NOT_FOUND for what is never shown. It says nothing about
 * links: those are resolved in the sandbox.
 */
export function parseWorkspacePath(given: string): string {
  // Its bytes count: an escaped slash, dot or NUL is what it stands for.
  const path = pathText(pathBytes(given));
  if (path.includes('\0')) throw invalid('The path contains a NUL character.');
  if (path.startsWith('/')) throw invalid('The path must be relative to the workspace.');
  if (pathBytes(path).length > PATH_MAX_BYTES) throw invalid(`The path exceeds ${PATH_MAX_BYTES} bytes.`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw invalid('The path must not contain "..".');
  if (names.some((name) => pathBytes(name).length > NAME_MAX_BYTES))
    throw invalid(`A name in the path exceeds ${NAME_MAX_BYTES} bytes.`);
  if (names.includes('.git')) throw notFound();
  return names.join('/');
}

/** The one answer for what is not there, is not shown, or leads out of the workspace. */
export function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is no such file or directory. It may have been moved or deleted.');
}

function invalid(detail: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', detail);
}
