import type { EgressDecision } from '@chirality/contracts';
import { isHostListed } from '@chirality/domain';
import type { EgressNetwork, ResolvedAddress } from './egress.types';

export type Destination = { host: string; port: number };
export type Verdict =
  | { decision: 'allowed'; addresses: ResolvedAddress[] }
  | { decision: Exclude<EgressDecision, 'allowed' | 'not_passed_on'> };

/** `host:port` as CONNECT names it; null for anything else, addresses of IPv6 included, which no list can hold. */
export function parseAuthority(authority: string): Destination | null {
  const match = /^([A-Za-z0-9._-]{1,253}):(\d{1,5})$/.exec(authority);
  const port = Number(match?.[2]);
  return match && port > 0 && port <= 65_535 ? { host: (match[1] ?? '').toLowerCase().replace(/\.$/, ''), port } : null;
}

/**
 * Whether a listed name may be reached, and at which addresses: they are resolved here, once, and the connection must
 * go to one of them. A name with a single address that leads inwards is refused as a whole.
 */
export async function decideDestination(
  { host, port }: Destination,
  hosts: readonly string[],
  network: EgressNetwork,
): Promise<Verdict> {
  if (!isHostListed(hosts, host, port)) return { decision: 'not_listed' };
  const addresses = await network.resolve(host).catch(() => []);
  if (addresses.length === 0) return { decision: 'unresolved' };
  if (!addresses.every(({ address }) => network.mayReach(address, host))) return { decision: 'inward_address' };
  return { decision: 'allowed', addresses };
}
