import { UNKNOWN_PRIVATE_HOSTS, whyNoEgressHost } from '@chirality/domain';

/** The entries of a list that is written one a line; blank lines count for nothing. */
export function hostsOfText(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What is wrong with the first entry that is none; null when all are. */
export function faultInHosts(hosts: readonly string[]): string | null {
  for (const host of hosts) {
    const why = whyNoEgressHost(host, UNKNOWN_PRIVATE_HOSTS);
    if (why !== null) return `${host} ${why}.`;
  }
  return null;
}
