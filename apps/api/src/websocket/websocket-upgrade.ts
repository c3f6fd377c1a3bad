import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { WEBSOCKET_PROTOCOL, WEBSOCKET_TOKEN_PROTOCOL } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { CONFIG, LOG, ProblemError, type Config, type Logger } from '@chirality/platform';
import { WebSocketServer } from 'ws';
import { bearerToken } from '../access/access-tokens';
import { isAllowedHost, isAllowedOrigin } from '../core/address/origin-policy';
import { noSuchRoute, problemOf } from '../core/problem/problem-of';
import { problems } from '../core/problem/problems';
import { LiveSockets } from '../live/live-sockets';
import { MAX_CONNECTIONS, UnprovenConnections } from '../live/socket-admission';
import { hasOpenResponse, refuseUpgrade } from './refuse-upgrade';
import { WebsocketConnections, type Opening } from './websocket-connections';

const WEBSOCKET_PATH = '/v1/ws';
const SOCKET_IO_PATH = '/socket.io/';
/** An upgrade that is neither taken nor refused to its end by then is cut. */
const UPGRADE_MS = 10_000;
/** Before its sender is known a frame is a handshake. */
const FIRST_FRAME_BYTES = 16 * 1024;
const CLIENT_ID = /^[\w.:-]{1,100}$/;

/** What asks this server for an upgrade: WebSockets of clients, beside Socket.IO, which looks for its own. */
@Injectable()
export class WebsocketUpgrade {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: FIRST_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(WEBSOCKET_PROTOCOL) ? WEBSOCKET_PROTOCOL : false),
  });

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    private readonly unproven: UnprovenConnections,
    private readonly sockets: LiveSockets,
    private readonly connections: WebsocketConnections,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Listens after the base path is taken off, and before Socket.IO does. */
  serve(http: Server): void {
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      try {
        this.take(request, socket, head);
      } catch (error) {
        this.giveUp(socket, error);
      }
    });
  }

  private giveUp(socket: Duplex, error: unknown): void {
    this.log.error({ err: error }, 'websocket.upgrade_failed');
    socket.destroy();
  }

  private take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // It may break before anything else listens.
    socket.on('error', () => socket.destroy());
    if (hasOpenResponse(socket)) {
      socket.destroy();
      return;
    }
    // Addresses count as they came, as they do for Socket.IO: each upgrade has exactly one that answers it.
    const { url = '' } = request;
    if (url.startsWith(SOCKET_IO_PATH)) return;
    const cut = setTimeout(() => socket.destroy(), UPGRADE_MS).unref();
    socket.once('close', () => clearTimeout(cut));
    if (url.split('?', 1)[0] !== WEBSOCKET_PATH) return refuseUpgrade(socket, noSuchRoute());
    this.admit(request)
      .then(
        (opening) => this.accept(request, socket, head, { opening, taken: () => clearTimeout(cut) }),
        (error: unknown) => {
          const { problem, expected } = problemOf(error);
          if (!expected) this.log.error({ err: error }, 'websocket.upgrade_failed');
          refuseUpgrade(socket, problem);
        },
      )
      .catch((error: unknown) => this.giveUp(socket, error));
  }

  private accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { opening, taken }: { opening: Omit<Opening, 'proven'>; taken: () => void },
  ): void {
    const proven = this.unproven.enter(request);
    socket.once('close', proven);
    this.server.handleUpgrade(request, socket, head, (accepted) => {
      taken();
      this.connections.open(accepted, { ...opening, proven });
    });
  }

  /** Foreign hosts and origins and floods are refused before the upgrade, and a token of a header that is not good. */
  private async admit(request: IncomingMessage): Promise<Omit<Opening, 'proven'>> {
    const { host, origin, authorization } = request.headers;
    if (!isAllowedHost(host, this.config) || !isAllowedOrigin(origin, host, this.config))
      throw new ProblemError(
        'FORBIDDEN',
        'Pages of another origin may not use this server. Set CHIRALITY_PUBLIC_URL to the address people use.',
      );
    if (this.connections.count >= MAX_CONNECTIONS || !this.unproven.hasRoomFor(request))
      throw problems.rateLimited(5_000);
    const { searchParams } = urlOf(request);
    if (searchParams.has('token') || searchParams.has('access_token'))
      throw new ProblemError(
        'VALIDATION_FAILED',
        'A token does not belong into an address, which is logged on its way. Send it as a header or in the handshake.',
      );
    const attach = attachOf(searchParams);
    if (authorization === undefined) return { who: null, token: offeredToken(request), attach };
    const named = request.headers['x-client-id'];
    const clientId = typeof named === 'string' && CLIENT_ID.test(named) ? named : newId('client');
    return { who: await this.sockets.authenticate(bearerToken(authorization), clientId), token: null, attach };
  }
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost') : new URL('http://localhost/');
}

function attachOf(query: URLSearchParams): Opening['attach'] {
  const session = query.get('session');
  if (session === null) return null;
  const after = query.get('lastEventId') ?? '0';
  if (!/^\d{1,15}$/.test(after))
    throw new ProblemError('VALIDATION_FAILED', 'lastEventId must be the id of an event, or 0.');
  return { session: session.slice(0, 100), after: Number(after) };
}

function offeredToken(request: IncomingMessage): string | null {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  const token = offered.find((each) => each.startsWith(WEBSOCKET_TOKEN_PROTOCOL));
  return token === undefined ? null : token.slice(WEBSOCKET_TOKEN_PROTOCOL.length);
}
