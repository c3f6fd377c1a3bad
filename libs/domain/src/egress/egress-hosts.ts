/** The ports of an entry that names none. */
const USUAL_PORTS = new Set([80, 443]);
const LOWEST_FREE_PORT = 1_024;
const HIGHEST_PORT = 65_535;

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
const ENTRY = new RegExp(`^(\\*\\.)?((?:${LABEL}\\.)+${LABEL})(?::(\\d{1,5}))?$`);

/** Names that lead inwards wherever they are asked for. */
const INWARD_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)$/;

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
export function parseEgressHost(text: string): EgressHost | null {
  return whyNoEgressHost(text) === null ? read(text) : null;
}

/** One clause for people about what is wrong with an entry; null when nothing is. */
export function whyNoEgressHost(text: string): string | null {
  const host = read(text);
  if (!host) return 'must be a host name such as registry.example.com, *.example.com or git.example.com:8443';
  if (/^[\d.]+$/.test(host.name) || /^0x/.test(host.name)) return 'must be a name, not an IP address';
  if (host.name.length > 253) return 'must be a host name of at most 253 characters';
  if (INWARD_NAME.test(host.name)) return 'must be a public name';
  if (host.port !== null && !isUsablePort(host.port))
    return `must have port 80, 443 or one from ${LOWEST_FREE_PORT} to ${HIGHEST_PORT}`;
  return null;
}

/** The one spelling of an entry that is stored and compared. */
export function egressHostText({ name, below, port }: EgressHost): string {
  return `${below ? '*.' : ''}${name}${port === null ? '' : `:${port}`}`;
}

/** Whether the list lets a process reach that name at that port. `name` in any case, with or without a dot at the end. */
export function isHostListed(hosts: readonly string[], name: string, port: number): boolean {
  const asked = name.toLowerCase().replace(/\.$/, '');
  return hosts.some((text) => {
    const host = parseEgressHost(text);
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
