type Range = readonly [address: string, bits: number];
/** The addresses that begin with these bits, written as zeros and ones. */
export type AddressRange = { family: 4 | 6; start: string };

/** What is not the public internet (IANA's special-purpose registries), and clouds' metadata services among it. */
const INWARD_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Clouds' own services at addresses that look public. */
const CLOUD_V4: readonly Range[] = [['168.63.129.16', 32]];

/** Global unicast is all of IPv6 that is public; these parts of it are not, or hold another address. */
const GLOBAL_V6: Range = ['2000::', 3];
const INWARD_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** What organisations number their own networks with. */
const LOCAL_NETWORKS: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
];

/**
 * Whether an address that a name was resolved to is on the public internet. False for private, shared (CGNAT),
 * loopback, link-local, metadata, multicast, documentation and reserved ranges, for IPv4 inside IPv6 (mapped, NAT64,
 * 6to4, Teredo), and for whatever is no address in its usual form.
 */
export function isPublicAddress(address: string): boolean {
  const v4 = bitsOfV4(address);
  if (v4 !== null) return ![...INWARD_V4, ...CLOUD_V4].some(([start, bits]) => sameStart(v4, bitsOfV4(start), bits));
  const v6 = bitsOfV6(address);
  if (v6 === null) return false;
  const within = ([start, bits]: Range) => sameStart(v6, bitsOfV6(start), bits);
  return within(GLOBAL_V6) && !INWARD_V6.some(within);
}

/** Whether it is an address of an organisation's own network: private, shared (CGNAT) or unique local. */
export function isLocalNetworkAddress(address: string): boolean {
  return LOCAL_NETWORKS.some(([start, bits]) => inRange(address, parseRange(`${start}/${bits}`) as AddressRange));
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address; null for anything else. */
export function parseRange(text: string): AddressRange | null {
  const [address = '', length, ...more] = text.split('/');
  if (more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null;
  const v4 = bitsOfV4(address);
  const bits = v4 ?? bitsOfV6(address);
  if (bits === null || Number(length ?? 0) > bits.length) return null;
  return { family: v4 === null ? 6 : 4, start: bits.slice(0, length === undefined ? bits.length : Number(length)) };
}

/** False also for what is no address in its usual form. */
export function inRange(address: string, { family, start }: AddressRange): boolean {
  return (family === 4 ? bitsOfV4(address) : bitsOfV6(address))?.startsWith(start) ?? false;
}

function sameStart(one: string, other: string | null, bits: number): boolean {
  return other !== null && one.slice(0, bits) === other.slice(0, bits);
}

function bitsOfV4(address: string): string | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return null;
  return parts.map((part) => part.toString(2).padStart(8, '0')).join('');
}

function bitsOfV6(address: string): string | null {
  if (!/^[0-9a-f:]+$/i.test(address)) return null;
  const [head = '', tail, ...more] = address.split('::');
  if (more.length > 0) return null;
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), tail === undefined ? [] : groups(tail)];
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}
