import { ProblemError } from '@chirality/platform';

const PATH_MAX_BYTES = 4_096;
const NAME_MAX_BYTES = 255;

/**
 * A path that a person gave, relative to a workspace's root: '' is the root. Throws VALIDATION_FAILED for what cannot
 * be such a path and NOT_FOUND for what is never shown. It says nothing about links: those are resolved in the sandbox.
 */
export function parseWorkspacePath(path: string): string {
  if (path.includes('\0')) throw invalid('The path contains a NUL character.');
  if (path.startsWith('/')) throw invalid('The path must be relative to the workspace.');
  if (Buffer.byteLength(path) > PATH_MAX_BYTES) throw invalid(`The path exceeds ${PATH_MAX_BYTES} bytes.`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw invalid('The path must not contain "..".');
  if (names.some((name) => Buffer.byteLength(name) > NAME_MAX_BYTES))
    throw invalid(`A name in the path exceeds ${NAME_MAX_BYTES} bytes.`);
  if (names.includes('.git')) throw notFound();
  return names.join('/');
}

/** What stands in a name for bytes that are not UTF-8. */
const UNREADABLE = '\ufffd';

/** The one answer for what is not there, is not shown, or leads out of the workspace. */
export function notFound(path = ''): ProblemError {
  if (path.includes(UNREADABLE))
    return new ProblemError(
      'NOT_FOUND',
      'A name in this path is not valid UTF-8, so it cannot be opened here. Rename it to open it.',
    );
  return new ProblemError('NOT_FOUND', 'There is no such file or directory. It may have been moved or deleted.');
}

function invalid(detail: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', detail);
}
