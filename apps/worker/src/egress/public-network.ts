import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '@chirality/domain';
import type { EgressNetwork, ResolvedAddress } from './egress.types';

/** The host's resolver, and public addresses only. */
export const PUBLIC_NETWORK: EgressNetwork = {
  resolve: async (name) => (await lookup(name, { all: true, verbatim: true })) as ResolvedAddress[],
  mayReach: isPublicAddress,
};

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
