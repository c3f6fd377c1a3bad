import type { IncomingMessage } from 'node:http';
import type { Application, Request } from 'express';

/** Express keeps what its requests have in common here, the trusted proxies among it; only its types do not say so. */
type WithRequests = Application & { request?: Request };

/**
 * Who a request that no route answers, such as an upgrade, is held to: the same peer as `request.ip` names in a route,
 * behind the same proxies.
 */
export function peerOf(app: WithRequests, { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  const asInRoutes = Object.create(app.request ?? null, {
    socket: { value: socket },
    headers: { value: headers },
  }) as Request;
  return peerKey(asInRoutes.ip);
}

/** The network that a peer can be held to: the address itself, of IPv6 the /64 that one customer is given. */
export function peerKey(address: string | undefined): string {
  if (!address) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
