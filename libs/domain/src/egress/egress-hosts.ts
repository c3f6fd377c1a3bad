import { isPrivateName, NO_PRIVATE_HOSTS, type PrivateHosts } from './private-hosts';

/** The ports of an entry that names none. */
const USUAL_PORTS = new Set([80, 443]);
const LOWEST_FREE_PORT = 1_024;
const HIGHEST_PORT = 65_535;

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
const ENTRY = new RegExp(`^(\\*\\.)?((?:${LABEL}\\.)*${LABEL})(?::(\\d{1,5}))?$`);

/** Names that lead inwards wherever they are asked for. */
const INWARD_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)$/;

const NO_HOST = 'must be a host name such as registry.example.com, *.example.com or git.example.com:8443';

type EgressHost = {
  /** Lower case, without a dot at the end. */
  name: string;
  /** Also, and only, names below it. */
  below: boolean;
  /** Null: 80 and 443. */
  port: number | null;
};

/**
 * An entry of a project's list: `registry.example.com`, `*.example.com` (every name below, not the name itself), either
 * with `:port`. Null when the text is none; `whyNoEgressHost` says why.
 */
export function parseEgressHost(text: string, privateHosts: PrivateHosts = NO_PRIVATE_HOSTS): EgressHost | null {
  return whyNoEgressHost(text, privateHosts) === null ? read(text) : null;
}

/**
 * One clause for people about what is wrong with an entry; null when nothing is. `privateHosts`: the operator's list.
 */
export function whyNoEgressHost(text: string, privateHosts: PrivateHosts = NO_PRIVATE_HOSTS): string | null {
  const host = read(text);
  if (!host) return NO_HOST;
  const why = whyNoPublicName(host, privateHosts);
  if (why !== null) return why;
  if (host.port !== null && !isUsablePort(host.port))
    return `must have port 80, 443 or one from ${LOWEST_FREE_PORT} to ${HIGHEST_PORT}`;
  return null;
}

function whyNoPublicName({ name, below }: EgressHost, privateHosts: PrivateHosts): string | null {
  if (name.length > 253) return 'must be a host name of at most 253 characters';
  if (isPrivateName(privateHosts, below ? `x.${name}` : name)) return null;
  if (!name.includes('.')) return NO_HOST;
  if (/^[\d.]+$/.test(name) || /^0x/.test(name)) return 'must be a name, not an IP address';
  return INWARD_NAME.test(name)
    ? 'must be a public name, or one that the operator lists in CHIRALITY_PRIVATE_HOSTS'
    : null;
}

/** The one spelling of an entry that is stored and compared. */
export function egressHostText({ name, below, port }: EgressHost): string {
  return `${below ? '*.' : ''}${name}${port === null ? '' : `:${port}`}`;
}

/**
 * Whether the list, whose entries were checked when they were stored, lets a process reach that name at that port.
 * `name` in any case, with or without a dot at the end.
 */
export function isHostListed(hosts: readonly string[], name: string, port: number): boolean {
  const asked = name.toLowerCase().replace(/\.$/, '');
  return hosts.some((text) => {
    const host = read(text);
    if (!host) return false;
    const named = host.below
      ? asked.endsWith(`.${host.name}`) && asked.length > host.name.length + 1
      : asked === host.name;
    return named && (host.port === null ? USUAL_PORTS.has(port) : host.port === port);
  });
}

function read(text: string): EgressHost | null {
  const match = ENTRY.exec(text.trim().toLowerCase().replace(/\.$/, ''));
  return match
    ? { name: match[2] ?? '', below: match[1] !== undefined, port: match[3] === undefined ? null : Number(match[3]) }
    : null;
}

function isUsablePort(port: number): boolean {
  return USUAL_PORTS.has(port) || (port >= LOWEST_FREE_PORT && port <= HIGHEST_PORT);
}
