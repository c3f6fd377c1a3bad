import { ProblemError } from '@chirality/platform';

const PATH_MAX_BYTES = 4_096;
const NAME_MAX_BYTES = 255;

/**
 * A path that a person gave, relative to a workspace's root: '' is the root. Throws VALIDATION_FAILED for what cannot be
 * such a path and NOT_FOUND for what is never shown. It says nothing about links: those are resolved in the sandbox.
 */
export function parseWorkspacePath(path: string): string {
  if (path.includes('\0')) throw invalid('The path has a NUL character in it.');
  if (path.startsWith('/')) throw invalid('The path must be relative to the workspace.');
  if (Buffer.byteLength(path) > PATH_MAX_BYTES) throw invalid(`The path is longer than ${PATH_MAX_BYTES} bytes.`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw invalid('The path must not contain "..".');
  if (names.some((name) => Buffer.byteLength(name) > NAME_MAX_BYTES)) throw invalid(`A name in the path is longer than ${NAME_MAX_BYTES} bytes.`);
  if (names.includes('.git')) throw notFound();
  return names.join('/');
}

/** The one answer for what is not there, is not shown, or leads out of the workspace. */
export function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is no such file in the workspace.');
}

function invalid(detail: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', detail);
}
