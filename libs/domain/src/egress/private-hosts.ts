import { inRange, isLocalNetworkAddress, isPublicAddress, parseRange, type AddressRange } from './public-address';

/** What the operator lets be private: names, `*.name` for every name below it, and ranges of addresses. */
export type PrivateHosts = { names: readonly string[]; ranges: readonly AddressRange[]; all?: boolean };

export const NO_PRIVATE_HOSTS: PrivateHosts = { names: [], ranges: [] };
/** For a browser, which does not know the operator's list: it leaves the judgement of names to the server. */
export const UNKNOWN_PRIVATE_HOSTS: PrivateHosts = { ...NO_PRIVATE_HOSTS, all: true };

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^(?:\\*\\.)?(?:${LABEL}\\.)*${LABEL}$`);
const MAX_NAME_LENGTH = 253;

/**
 * Entries as an operator writes them: a name, `*.name`, an address or a range of addresses. Throws an Error that names
 * the entry that is none.
 */
export function parsePrivateHosts(entries: readonly string[]): PrivateHosts {
  const names: string[] = [];
  const ranges: AddressRange[] = [];
  for (const entry of entries) {
    const text = entry.trim().toLowerCase().replace(/\.$/, '');
    const range = parseRange(text);
    if (range) ranges.push(range);
    else if (NAME.test(text) && !/^[\d.]+$/.test(text) && text.length <= MAX_NAME_LENGTH) names.push(text);
    else throw new Error(`${entry.trim()} is neither a host name nor an address or range such as 10.0.0.0/8`);
  }
  return { names, ranges };
}

/** Whether the operator lists that name, or the address that it is. `name` is in lower case. */
export function isPrivateName({ names, ranges, all = false }: PrivateHosts, name: string): boolean {
  return (
    all ||
    names.some((entry) => (entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry)) ||
    ranges.some((range) => inRange(name, range))
  );
}

/**
 * Whether a connection to `name` may go to that address: a public one, one in a listed range, or, for a listed name,
 * one of a local network. Loopback, link-local and metadata addresses are reached through a listed range alone.
 */
export function mayReachAddress(hosts: PrivateHosts, name: string, address: string): boolean {
  return (
    isPublicAddress(address) ||
    hosts.ranges.some((range) => inRange(address, range)) ||
    (isPrivateName(hosts, name) && isLocalNetworkAddress(address))
  );
}
