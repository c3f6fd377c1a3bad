import type { GitFailure, SourceFailure } from '@chirality/contracts';

const CODES: Record<SourceFailure['code'], GitFailure['code']> = {
  SOURCE_ADDRESS_REFUSED: 'GIT_HOST_FORBIDDEN',
  SOURCE_REDIRECTED: 'GIT_HOST_FORBIDDEN',
  SOURCE_UNREACHABLE: 'GIT_HOST_UNREACHABLE',
  SOURCE_TIMEOUT: 'GIT_HOST_UNREACHABLE',
  SOURCE_NOT_FOUND: 'GIT_REMOTE_GONE',
  SOURCE_EMPTY: 'GIT_REMOTE_GONE',
  SOURCE_TOO_LARGE: 'GIT_TOO_LARGE',
  SOURCE_INVALID: 'GIT_FAILED',
  SOURCE_FAILED: 'GIT_FAILED',
  SOURCE_STOPPED: 'GIT_FAILED',
  GIT_AUTH_FAILED: 'GIT_AUTH_FAILED',
  GIT_HOST_KEY_CHANGED: 'GIT_HOST_KEY_CHANGED',
  GIT_TOO_LARGE: 'GIT_TOO_LARGE',
  SANDBOX_UNAVAILABLE: 'SANDBOX_UNAVAILABLE',
  WORKER_LOST: 'WORKER_LOST',
};

/** Git at the remote of a project that had its files: what is not found there now was there once. */
export class RemoteFailedError extends Error {
  constructor(readonly failure: GitFailure) {
    super(`${failure.code}: ${failure.detail}`);
  }
}

/** What the transport said of a source, of a project's remote. */
export function remoteFailureOf({ code, detail }: SourceFailure): GitFailure {
  return {
    code: CODES[code],
    detail: code === 'SOURCE_NOT_FOUND' ? `The remote is gone, or closed to this account: ${lowered(detail)}` : detail,
  };
}

function lowered(detail: string): string {
  return detail.slice(0, 1).toLowerCase() + detail.slice(1);
}
