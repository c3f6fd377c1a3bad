import type { Config } from '@chirality/platform';

type OriginConfig = Pick<Config, 'publicUrl'>;

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostnameOf(authority: string): string | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.exec(authority);
  return match?.[1]?.toLowerCase() ?? null;
}

/**
 * Whether this server answers to that Host header: loopback names, and the host of the public URL. A page whose name
 * was rebound to 127.0.0.1 carries its own name and is refused.
 */
export function isAllowedHost(host: string | undefined, config: OriginConfig): boolean {
  const hostname = host && hostnameOf(host);
  if (!hostname) return false;
  return LOOPBACK_NAMES.has(hostname) || hostname === new URL(config.publicUrl).hostname.toLowerCase();
}

/**
 * Whether a request that names its Origin comes from this server's own pages: the origin has the Host it was sent to,
 * or is the public URL's. Only a request without the header (no browser page) passes unnamed.
 */
export function isAllowedOrigin(origin: string | undefined, host: string | undefined, config: OriginConfig): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (url.origin === new URL(config.publicUrl).origin) return true;
  return isAllowedHost(host, config) && url.host.toLowerCase() === withoutDefaultPort(host ?? '', url.protocol);
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}
