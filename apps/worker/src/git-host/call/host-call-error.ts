import { cutText, gitAccountMasks, maskText } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

const MAX_WORDS = 300;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;

type Failure =
  | { kind: 'address' | 'unresolved' | 'unreachable' | 'certificate' | 'timeout' | 'redirected' }
  /** More was sent than is read, or something that is no answer of such an API. */
  | { kind: 'too-large' | 'unreadable' }
  | { kind: 'status'; status: number; words: string; retryAt: Date | null };

/** A call of a host's API has failed. Holds nothing of the credential that it carried. */
export class HostCallError extends Error {
  override readonly name = 'HostCallError';

  constructor(
    readonly host: string,
    readonly failure: Failure,
  ) {
    super(`${host}: ${failure.kind === 'status' ? `${failure.status} ${failure.words}` : failure.kind}`);
  }

  get status(): number | null {
    return this.failure.kind === 'status' ? this.failure.status : null;
  }
}

/** The failed call behind what a client of such an API threw; null where it was something else. */
export function hostCallErrorOf(error: unknown): HostCallError | null {
  if (error instanceof HostCallError) return error;
  return error instanceof Error && error.cause instanceof HostCallError ? error.cause : null;
}

/** Why the host did not take the token, as its account then shows; null where that is not what failed. */
export function refusedTokenText(error: unknown): string | null {
  const call = hostCallErrorOf(error);
  return call?.status === UNAUTHORIZED ? problemOfHost(call).detail : null;
}

/** The answer, or what stands in for it where the host has no such thing or does not show it to this account. */
export async function orWithout<T>(answer: Promise<T>, without: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const status = hostCallErrorOf(error)?.status ?? null;
    if (status !== null && [403, 404, 405, 410, 422].includes(status)) return without;
    throw error;
  }
}

/** The sentence for a person, with its code; an error that is no failed call is thrown on. */
export function problemOfHost(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const call = hostCallErrorOf(error);
  if (!call) throw error;
  const { host, failure } = call;
  switch (failure.kind) {
    case 'address':
      return new ProblemError(
        'GIT_HOST_FORBIDDEN',
        `${host} leads to a private or local address, which is not called. An operator can allow it in CHIRALITY_PRIVATE_HOSTS.`,
      );
    case 'unresolved':
      return new ProblemError('GIT_HOST_UNREACHABLE', `There is no host ${host}. Check the project’s git address.`);
    case 'unreachable':
      return new ProblemError('GIT_HOST_UNREACHABLE', `${host} did not accept a connection. Try again later.`);
    case 'certificate':
      return new ProblemError(
        'GIT_HOST_UNREACHABLE',
        `The certificate of ${host} could not be verified. An operator can add its authority in CHIRALITY_CA_FILE.`,
      );
    case 'timeout':
      return new ProblemError('GIT_HOST_UNREACHABLE', `${host} did not answer in time. Try again later.`);
    case 'redirected':
      return new ProblemError(
        'PULL_REQUEST_FAILED',
        `${host} sends on to another address. If the repository has moved, give its new address.`,
      );
    case 'too-large':
    case 'unreadable':
      return new ProblemError('PULL_REQUEST_FAILED', `${host} gave an answer that cannot be read. Try again later.`);
    case 'status':
      return ofStatus(host, failure);
  }
}

function ofStatus(host: string, { status, words, retryAt }: Extract<Failure, { kind: 'status' }>): ProblemError {
  if (retryAt)
    return new ProblemError(
      'PULL_REQUEST_FAILED',
      `${host} takes no more requests of this account until ${retryAt.toISOString().slice(11, 16)} UTC. Try again then.`,
      { retryAt: retryAt.toISOString() },
    );
  const said = words === '' ? '' : ` It says: “${words}”`;
  if (status === UNAUTHORIZED)
    return new ProblemError(
      'GIT_AUTH_FAILED',
      `${host} does not accept the token. Save a new one in your git accounts.`,
    );
  if (status === FORBIDDEN)
    return new ProblemError(
      'GIT_AUTH_FAILED',
      `The token may not do this on ${host}. Give it the rights, or use another.${said}`,
    );
  if (status === NOT_FOUND)
    return new ProblemError(
      'GIT_NOT_FOUND',
      `${host} shows no such repository, branch or pull request to this account. Check the address and what the token may see.`,
    );
  if (status >= SERVER_ERROR)
    return new ProblemError('GIT_HOST_UNREACHABLE', `${host} failed at this (${status}). Try again later.${said}`);
  return new ProblemError('PULL_REQUEST_FAILED', `${host} refused it.${said}`);
}

/** What a host said, as it may be shown: one line, without control characters, secrets and the token. */
export function wordsOf(text: string, token: string | null): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  if (token === null || token === '') return cutText(maskText(line.slice(0, MAX_WORDS * 4)), MAX_WORDS);
  const masked = maskText(line.replaceAll(token, '«token»'), gitAccountMasks(null, token));
  return cutText(masked, MAX_WORDS);
}
