import type { IncomingMessage } from 'node:http';
import type { Application, Request } from 'express';
import { peerKey } from '../auth/attempt-limits';

/** Express keeps what its requests have in common here, the trusted proxies among it; only its types do not say so. */
type WithRequests = Application & { request?: Request };

/** Who a request that no route answers, such as an upgrade, is held to: the same peer as `request.ip` names in a route, behind the same proxies. */
export function peerOf(app: WithRequests, { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  const asInRoutes = Object.create(app.request ?? null, {
    socket: { value: socket },
    headers: { value: headers },
  }) as Request;
  return peerKey(asInRoutes.ip);
}
