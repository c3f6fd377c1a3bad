import type { IncomingMessage } from 'node:http';
import type { Config } from '@chirality/platform';
import type { ServerOptions } from 'socket.io';
import { isAllowedHost, isAllowedOrigin } from '../core/address/origin-policy';

export const AUTH_DEADLINE_MS = 5_000;
export const MAX_CONNECTIONS = 5_000;
const MAX_UNPROVEN_PER_ADDRESS = 100;
/** Larger messages end the connection; smaller ones that no contract accepts are answered with a problem. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Connections that did not show a token yet, by peer: there is only so much room for those. */
export class UnprovenConnections {
  private readonly byPeer = new Map<string, number>();

  constructor(
    private readonly peerOf: (request: IncomingMessage) => string,
    private readonly mostPerPeer = MAX_UNPROVEN_PER_ADDRESS,
  ) {}

  hasRoomFor(request: IncomingMessage): boolean {
    return (this.byPeer.get(this.peerOf(request)) ?? 0) < this.mostPerPeer;
  }

  /** Counts one until the returned function is called. */
  enter(request: IncomingMessage): () => void {
    const peer = this.peerOf(request);
    this.byPeer.set(peer, (this.byPeer.get(peer) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const rest = (this.byPeer.get(peer) ?? 1) - 1;
      if (rest === 0) this.byPeer.delete(peer);
      else this.byPeer.set(peer, rest);
    };
  }
}

/**
 * How Socket.IO runs here. Foreign hosts and origins and floods are refused before the upgrade, unknown tokens right
 * after.
 */
export function socketServerOptions(
  config: Pick<Config, 'publicUrl'>,
  limits: { openConnections: () => number; unproven: UnprovenConnections },
): Partial<ServerOptions> {
  return {
    transports: ['websocket'],
    serveClient: false,
    // Other upgrades of this server are not Socket.IO's to end.
    destroyUpgrade: false,
    connectTimeout: AUTH_DEADLINE_MS,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    allowRequest: (request, decide) => {
      const { host, origin } = request.headers;
      if (!isAllowedHost(host, config) || !isAllowedOrigin(origin, host, config)) return decide('origin', false);
      if (limits.openConnections() >= MAX_CONNECTIONS) return decide('full', false);
      if (!limits.unproven.hasRoomFor(request)) return decide('full', false);
      decide(null, true);
    },
  };
}
