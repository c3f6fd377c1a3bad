import { lookup } from 'node:dns/promises';
import { mayReachAddress, NO_PRIVATE_HOSTS, type PrivateHosts } from '@chirality/domain';
import type { EgressNetwork, ResolvedAddress } from './egress.types';

/** The host's resolver, public addresses, and what the operator lists of private ones. */
export function networkWithPrivateHosts(privateHosts: PrivateHosts): EgressNetwork {
  return {
    resolve: async (name) => (await lookup(name, { all: true, verbatim: true })) as ResolvedAddress[],
    mayReach: (address, name) => mayReachAddress(privateHosts, name, address),
  };
}

/** The host's resolver, and public addresses only. */
export const PUBLIC_NETWORK: EgressNetwork = networkWithPrivateHosts(NO_PRIVATE_HOSTS);

/** For tests: these names lead to these addresses, which may be anywhere, and no other name leads to any. */
export function networkWithHosts(hosts: Readonly<Record<string, string>>): EgressNetwork {
  const reachable = new Set(Object.values(hosts));
  return {
    resolve: async (name) => {
      const address = hosts[name];
      if (address === undefined) throw new Error(`${name} is none of the test's hosts`);
      return [{ address, family: address.includes(':') ? 6 : 4 }];
    },
    mayReach: (address) => reachable.has(address),
  };
}
