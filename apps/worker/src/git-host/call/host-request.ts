import { request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isPublicAddress } from '@chirality/domain';
import { decideDestination } from '../../egress/decide-destination';
import type { EgressNetwork } from '../../egress';
import { pinnedLookup } from '../../egress/pinned-lookup';
import { HostCallError } from './host-call-error';
import { readHead, readTail } from './read-answer';

export const HOST_LIMITS = {
  /** Of one call, with its redirects, until its last byte. */
  callMs: 20_000,
  answerBytes: 8 * 1024 * 1024,
  /** A log is read to its end to keep its tail, up to here. */
  logBytes: 64 * 1024 * 1024,
  tailBytes: 64 * 1024,
};
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What may say who asks: for no other host than the one it was meant for. */
const MEANT_FOR_ALL: ReadonlySet<string> = new Set(['accept', 'user-agent']);

export type HostNetwork = {
  network: EgressNetwork;
  /** Authorities for certificates, in place of Node's own; null for those. */
  authorities: readonly string[] | null;
  limits?: Partial<typeof HOST_LIMITS>;
  /** For tests, of which every host is on this machine. */
  isPublic?: (address: string) => boolean;
  /** Of the act that the calls are for: none is sent after it. */
  deadline?: AbortSignal;
};

type HostRequest = { url: URL; method: string; headers: Record<string, string>; body: string | null };
export type HostAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/**
 * One call of a host's API: over TLS, to an address that is looked up and checked for this call and that the connection
 * is bound to. Redirects are followed for reading only, each with the same check, and to another host without the
 * credential. Throws HostCallError; an answer of any status is no error.
 */
export async function requestOfHost(
  { network, authorities, isPublic = isPublicAddress, ...settings }: HostNetwork,
  first: HostRequest,
  { keepTail = false, signal }: { keepTail?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<HostAnswer> {
  const limits = { ...HOST_LIMITS, ...settings.limits };
  const inTime = AbortSignal.timeout(limits.callMs);
  const stopped = AbortSignal.any([inTime, signal, settings.deadline].filter((one) => one !== undefined));
  let request = first;
  const origin = { host: first.url.host, isInward: false };
  const areOutward = (addresses: readonly { address: string }[]) => addresses.every(({ address }) => isPublic(address));
  for (let hops = 0; ; hops++) {
    const host = request.url.host;
    try {
      const addresses = await addressesOf(request.url, network);
      if (hops === 0) origin.isInward = !areOutward(addresses);
      // A host on the internet must not choose which of the operator's own hosts is called.
      if (host !== origin.host && !origin.isInward && !areOutward(addresses))
        throw new HostCallError(origin.host, { kind: 'redirected' });
      const answer = await connect(request, addresses, authorities, stopped);
      const next = redirectOf(request, answer);
      if (!next) {
        const body = keepTail
          ? await readTail(answer, host, limits.logBytes, limits.tailBytes)
          : await readHead(answer, host, limits.answerBytes);
        return { status: answer.statusCode ?? 0, headers: answer.headers, body };
      }
      answer.destroy();
      if (hops >= MAX_REDIRECTS) throw new HostCallError(host, { kind: 'redirected' });
      request = next;
    } catch (error) {
      if (inTime.aborted || settings.deadline?.aborted) throw new HostCallError(host, { kind: 'timeout' });
      throw error instanceof HostCallError ? error : new HostCallError(host, { kind: kindOf(error) });
    }
  }
}

async function addressesOf(url: URL, network: EgressNetwork) {
  const destination = { host: url.hostname.replace(/\.$/, ''), port: Number(url.port || 443) };
  const verdict = await decideDestination(destination, [`${destination.host}:${destination.port}`], network);
  if (verdict.decision === 'allowed') return verdict.addresses;
  throw new HostCallError(url.host, { kind: verdict.decision === 'unresolved' ? 'unresolved' : 'address' });
}

function connect(
  { url, method, headers, body }: HostRequest,
  addresses: Awaited<ReturnType<typeof addressesOf>>,
  authorities: readonly string[] | null,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      url,
      {
        method,
        headers: { ...headers, ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }) },
        lookup: pinnedLookup(addresses),
        // A connection that is kept would be bound to an address of an earlier look-up.
        agent: false,
        signal,
        ...(authorities ? { ca: [...authorities] } : {}),
      },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}

/** The request that the answer sends on to; null when it is the final one. */
function redirectOf({ url, method, headers }: HostRequest, answer: IncomingMessage): HostRequest | null {
  const { location } = answer.headers;
  if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return null;
  const refused = () => new HostCallError(url.host, { kind: 'redirected' });
  // What changes something is done where a person said, or not at all.
  if (method !== 'GET' || !URL.canParse(location, url.href)) throw refused();
  const next = new URL(location, url);
  if (next.protocol !== 'https:' || next.username !== '' || next.password !== '') throw refused();
  const kept = Object.entries(headers).filter(([name]) => next.host === url.host || MEANT_FOR_ALL.has(name));
  return { url: next, method, headers: Object.fromEntries(kept), body: null };
}

function kindOf(error: unknown): 'certificate' | 'unreachable' {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /CERT|SSL|TLS|UNABLE_TO|SELF_SIGNED/.test(code) ? 'certificate' : 'unreachable';
}
