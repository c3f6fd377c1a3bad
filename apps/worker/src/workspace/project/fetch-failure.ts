import type { SourceFailure } from '@chirality/contracts';
import { withoutHostPaths } from '@chirality/domain';
import type { EgressBinding } from '../../egress';
import { exceededLimit, type SandboxExit } from '../../sandbox/sandbox.types';
import { lastLineOf } from '../script/script-failure';
import { TRANSPORT_EXIT } from './transport-script';

type Refused = Parameters<EgressBinding['onRefused']>[0];

export type EndedFetch = {
  exit: SandboxExit;
  timedOut: boolean;
  /** What the proxy refused. */
  refused: readonly Refused[];
  /** What git said. */
  text: string;
  host: string;
  limits: { timeoutMs: number; diskBytes: number };
};

/** A fetch has failed, for the reason that the project then shows. */
export class FetchFailedError extends Error {
  constructor(readonly failure: SourceFailure) {
    super(`${failure.code}: ${failure.detail}`);
  }
}

const PRIVATE =
  'Private repositories are not fetched: clone it on the server, and make the project from that directory.';

/** Why a fetch did not come to its good end, in a sentence that says what to do. */
export function failureOf({ exit, timedOut, refused, text, host, limits }: EndedFetch): SourceFailure {
  if (exit.startFailure) return { code: 'SANDBOX_UNAVAILABLE', detail: withoutHostPaths(exit.startFailure) };
  if (timedOut)
    return {
      code: 'SOURCE_TIMEOUT',
      detail: `It was not fetched within ${Math.ceil(limits.timeoutMs / 60_000)} minutes. Try again; a smaller repository may be needed.`,
    };
  if (exceededLimit(exit) !== null || /no space left|File too large/i.test(text)) {
    return {
      code: 'SOURCE_TOO_LARGE',
      detail: `Its history is larger than the ${Math.floor(limits.diskBytes / 1024 ** 2).toLocaleString('en')} MB that a project may have, or than this server has room for.`,
    };
  }
  if (exit.code === TRANSPORT_EXIT.empty)
    return {
      code: 'SOURCE_EMPTY',
      detail: 'The repository has no commit on its default branch. Push one first, or make an empty project.',
    };
  return ofProxy(refused, host) ?? ofGit(text, host);
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
        detail: `${first.host} leads to a private or local address, and those are never fetched from. Give the address of a public server, or make the project from a directory.`,
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

const SAYINGS: [RegExp, (host: string) => SourceFailure][] = [
  [
    /protocol '\w+' (?:not supported|disabled)|not supported or disabled in libcurl/i,
    (host) => ({
      code: 'SOURCE_REDIRECTED',
      detail: `${host} sends on to an address that is not https, which is not followed.`,
    }),
  ],
  [
    /certificate|SSL|TLS|gnutls/i,
    (host) => ({
      code: 'SOURCE_UNREACHABLE',
      detail: `No safe connection to ${host}: its certificate could not be verified.`,
    }),
  ],
  [
    /could not read (?:Username|Password)|unable to read askpass|Authentication failed|returned error: 40[134]|repository '.*' not found/i,
    () => ({
      code: 'SOURCE_NOT_FOUND',
      detail: `There is no repository at this address that can be read without signing in. Check the address. ${PRIVATE}`,
    }),
  ],
  [
    /returned error: (?:429|5\d\d)|too slow|Could not resolve|Failed to connect|Connection (?:reset|timed out|refused)|early EOF|RPC failed|unexpected disconnect/i,
    (host) => ({ code: 'SOURCE_UNREACHABLE', detail: `${host} did not answer as it should. Try again later.` }),
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

function ofGit(text: string, host: string): SourceFailure {
  const known = SAYINGS.find(([pattern]) => pattern.test(text));
  return known ? known[1](host) : { code: 'SOURCE_FAILED', detail: `Git could not fetch it: ${lastLineOf(text)}` };
}
