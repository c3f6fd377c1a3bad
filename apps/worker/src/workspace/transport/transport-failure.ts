import type { ProblemCode, SourceFailure } from '@chirality/contracts';
import { gitAccountMasks, maskText, withoutHostPaths } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { EgressBinding } from '../../egress';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import { exceededLimit, type SandboxExit } from '../../sandbox/sandbox.types';
import { FetchFailedError } from '../project/fetch-failure';
import { lastLineOf } from '../script/script-failure';
import { TRANSPORT_EXIT } from './transport-script';

type Refused = Parameters<EgressBinding['onRefused']>[0];

export type EndedTransport = {
  exit: SandboxExit;
  timedOut: boolean;
  /** What the proxy refused. */
  refused: readonly Refused[];
  /** What git said. */
  text: string;
  host: string;
  /** As a git account for it names the host. */
  accountHost: string;
  protocol: 'https' | 'ssh';
  account: Pick<OpenedGitAccount, 'scope' | 'username' | 'secret'> | null;
  limits: { timeoutMs: number; diskBytes: number };
};

/**
 * Why git did not come to its good end at another host, in a sentence that says what to do and holds nothing of the
 * account's secret.
 */
export function failureOf(ended: EndedTransport): SourceFailure {
  const { exit, timedOut, refused, host, limits } = ended;
  const text = withoutSecret(ended.text, ended.account);
  if (exit.startFailure) return { code: 'SANDBOX_UNAVAILABLE', detail: withoutHostPaths(exit.startFailure) };
  if (timedOut)
    return {
      code: 'SOURCE_TIMEOUT',
      detail: `It was not fetched within ${Math.ceil(limits.timeoutMs / 60_000)} minutes. Try again; a smaller repository may be needed.`,
    };
  if (exceededLimit(exit) !== null || /no space left|File too large/i.test(text)) {
    return {
      code: 'GIT_TOO_LARGE',
      detail: `The repository is larger than the ${Math.floor(limits.diskBytes / 1024 ** 2).toLocaleString('en')} MB that one may have here (CHIRALITY_MAX_REPOSITORY_BYTES), or than this server has room for.`,
    };
  }
  return ofScript(exit.code) ?? ofProxy(refused, host) ?? ofGit(text, ended);
}

/** The same failure as the answer to a request: a source's codes have a name there that speaks of the host. */
export function problemOfFailure({ code, detail }: SourceFailure): ProblemError {
  return new ProblemError(PROBLEM_CODES[code], detail);
}

/** What is recorded with an account when a host refused it; null when it was not the account that was refused. */
export function refusedAccountText(error: unknown): string | null {
  return error instanceof FetchFailedError && error.failure.code === 'GIT_AUTH_FAILED' ? error.failure.detail : null;
}

/** Hosts repeat in their errors what they were sent: as it is, or as the header of a request spells it. */
function withoutSecret(text: string, account: EndedTransport['account']): string {
  return account === null ? text : maskText(text, gitAccountMasks(account.username, account.secret));
}

const PROBLEM_CODES: Record<SourceFailure['code'], ProblemCode> = {
  SOURCE_ADDRESS_REFUSED: 'GIT_HOST_FORBIDDEN',
  SOURCE_REDIRECTED: 'GIT_HOST_FORBIDDEN',
  SOURCE_UNREACHABLE: 'GIT_HOST_UNREACHABLE',
  SOURCE_TIMEOUT: 'GIT_HOST_UNREACHABLE',
  SOURCE_NOT_FOUND: 'GIT_NOT_FOUND',
  SOURCE_EMPTY: 'GIT_NOT_FOUND',
  SOURCE_TOO_LARGE: 'GIT_TOO_LARGE',
  SOURCE_INVALID: 'GIT_NOT_FOUND',
  SOURCE_FAILED: 'GIT_HOST_UNREACHABLE',
  SOURCE_STOPPED: 'GIT_HOST_UNREACHABLE',
  GIT_AUTH_FAILED: 'GIT_AUTH_FAILED',
  GIT_HOST_KEY_CHANGED: 'GIT_HOST_KEY_CHANGED',
  GIT_TOO_LARGE: 'GIT_TOO_LARGE',
  SANDBOX_UNAVAILABLE: 'SANDBOX_UNAVAILABLE',
  WORKER_LOST: 'WORKSPACE_UNAVAILABLE',
};

function ofScript(code: number | null): SourceFailure | null {
  switch (code) {
    case TRANSPORT_EXIT.empty:
      return {
        code: 'SOURCE_EMPTY',
        detail: 'The repository has no commit on its default branch. Push one first, or make an empty project.',
      };
    case TRANSPORT_EXIT.noBranch:
      return {
        code: 'SOURCE_NOT_FOUND',
        detail: 'The repository has no branch of that name. Check its spelling, or choose another branch.',
      };
    case TRANSPORT_EXIT.noCommit:
      return { code: 'SOURCE_NOT_FOUND', detail: 'The host does not have the commit that the project names.' };
    case TRANSPORT_EXIT.noSsh:
      return {
        code: 'SANDBOX_UNAVAILABLE',
        detail: 'The program ssh is not installed on this server. The operator installs the package openssh-client.',
      };
    default:
      return null;
  }
}

function ofProxy(refused: readonly Refused[], host: string): SourceFailure | null {
  const [first] = refused;
  switch (first?.decision) {
    case undefined:
    case 'not_passed_on':
      return null;
    case 'inward_address':
      return {
        code: 'SOURCE_ADDRESS_REFUSED',
        detail: `${first.host} leads to a private or local address, and those are reached only where the operator lists them in CHIRALITY_PRIVATE_HOSTS. Ask the operator to add it, or make the project from a directory.`,
      };
    case 'not_listed':
      return {
        code: 'SOURCE_REDIRECTED',
        detail: `${host} sends on to ${first.host}:${first.port}, and redirects to another host are not followed. If you trust that host, give its address.`,
      };
    case 'unresolved':
      return { code: 'SOURCE_UNREACHABLE', detail: `There is no host ${first.host}. Check the address.` };
    case 'unreachable':
      return {
        code: 'SOURCE_UNREACHABLE',
        detail: `${first.host}:${first.port} did not accept a connection. Check the address, or try again later.`,
      };
  }
}

type Told = Pick<EndedTransport, 'host' | 'accountHost' | 'protocol' | 'account'>;

const SAYINGS: [RegExp, (told: Told) => SourceFailure][] = [
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    ({ host }) => ({
      code: 'GIT_HOST_KEY_CHANGED',
      detail: `${host} proves itself by another key than at first, so nothing was sent to it. If its operators changed the key, a team admin removes the old one in the team’s settings; if not, someone may be posing as it.`,
    }),
  ],
  [
    /protocol '\w+' (?:not supported|disabled)|not supported or disabled in libcurl/i,
    ({ host }) => ({
      code: 'SOURCE_REDIRECTED',
      detail: `${host} sends on to an address that is not https, which is not followed.`,
    }),
  ],
  [
    /repository corruption on the remote side/i,
    ({ host }) => ({
      code: 'SOURCE_INVALID',
      detail: `${host} says that its repository is damaged. Repair it there (git fsck), then try again.`,
    }),
  ],
  [
    // The TLS library reports a connection that breaks off in words that name TLS as well.
    /recv error|SSL_(?:read|write)|unexpected eof while reading|properly terminated|Send failure|transfer closed/i,
    ({ host }) => ({
      code: 'SOURCE_UNREACHABLE',
      detail: `The connection to ${host} broke off before everything was here. Try again.`,
    }),
  ],
  [
    /certificate|SSL|TLS|gnutls/i,
    ({ host }) => ({
      code: 'SOURCE_UNREACHABLE',
      detail: `No safe connection to ${host}: its certificate could not be verified. If its authority is your own, the operator adds it by CHIRALITY_CA_FILE.`,
    }),
  ],
  [
    /could not read (?:Username|Password)|unable to read askpass|Authentication failed|returned error: 40[13]|Permission denied \(|Too many authentication failures/i,
    (told) => ({ code: 'GIT_AUTH_FAILED', detail: refusedSignIn(told) }),
  ],
  [
    /returned error: 404|repository '.*' not found|Repository not found|does not appear to be a git repository|project you were looking for could not be found/i,
    ({ account }) => ({
      code: 'SOURCE_NOT_FOUND',
      detail: `There is no repository at this address${account === null ? ' that can be read without signing in. Check the address; for a private repository, add a git account for its host.' : ', or your account may not read it. Check both.'}`,
    }),
  ],
  [
    /returned error: (?:429|5\d\d)|too slow|Could not resolve|Failed to connect|Connection (?:reset|timed out|refused|closed)|kex_exchange_identification|early EOF|RPC failed|unexpected disconnect/i,
    ({ host }) => ({ code: 'SOURCE_UNREACHABLE', detail: `${host} did not answer as it should. Try again later.` }),
  ],
  [
    /fsck|index-pack failed|bad object|invalid .*pack|corrupt|mismatched algorithms|did not send all necessary objects/i,
    () => ({ code: 'SOURCE_INVALID', detail: 'The repository holds objects that git refuses as broken or dangerous.' }),
  ],
  [
    /not valid: is this a git repository|invalid server response|bad line length|protocol error|repository .* not found/i,
    () => ({ code: 'SOURCE_NOT_FOUND', detail: 'There is no git repository at this address. Check it.' }),
  ],
];

function refusedSignIn({ host, accountHost, protocol, account }: Told): string {
  const what = protocol === 'ssh' ? 'SSH key' : 'token';
  if (account === null)
    return `${host} shows this repository only after signing in, and there is no git account for ${accountHost} with ${protocol === 'ssh' ? 'an SSH key' : 'a token'}. Add one in your settings, or check the address.`;
  return account.scope === 'user'
    ? `${host} did not accept your ${what}. Check that it is valid there and may be used for this repository.`
    : `${host} did not accept the team’s ${what}. A team admin checks that it is valid there and may be used for this repository.`;
}

function ofGit(text: string, told: Told): SourceFailure {
  const known = SAYINGS.find(([pattern]) => pattern.test(text));
  return known ? known[1](told) : { code: 'SOURCE_FAILED', detail: `Git could not fetch it: ${lastLineOf(text)}` };
}
