import { ConfigError } from './config-error';

export type TrustProxy = false | number | string[];

/** `true` would let any client choose its own address, so a proxy is always named or counted. */
export function parseTrustProxy(value: string): TrustProxy {
  if (value === '' || value === 'false' || value === '0') return false;
  if (/^\d+$/.test(value)) return Number(value);
  if (value === 'true') {
    throw new ConfigError(
      'CHIRALITY_TRUST_PROXY must be a number of proxies or their addresses (loopback, uniquelocal, 10.0.0.0/8), not true',
    );
  }
  return value.split(',').map((part) => part.trim());
}

/** True for names and addresses that only this machine can reach. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Passwords and tokens would cross the network in the clear, so another address than loopback needs a declared proxy.
 */
export function refuseOpenAddress(host: string, trustProxy: TrustProxy): void {
  if (isLoopback(host) || trustProxy !== false) return;
  throw new ConfigError(
    `HOST ${host} can be reached from other machines: put a proxy with TLS in front and name it in CHIRALITY_TRUST_PROXY, or leave HOST at 127.0.0.1`,
  );
}

/** Where browsers find the service unless configured. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = isLoopback(host) && host !== '::1' ? host : 'localhost';
  return `http://${name}:${port}`;
}
