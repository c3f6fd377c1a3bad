import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Exchange } from './exchange';
import { refuse } from '../gateway-error';
import { newGatewayToken, sameToken } from '../gateway-token';
import type { GatewayLimits, GatewayLog, TurnBinding, UsageRow } from '../gateway.types';
import type { RequestAuthorizer } from './request-authorizer';
import { BodyMemory } from '../upstream/request-body';
import type { UsageRecorder } from '../usage/usage-recorder';

const PATHS = new Set(['/v1/messages', '/v1/messages/count_tokens']);

/**
 * The way of one process to the model's service: one socket, one token, and nothing goes through while no turn is
 * bound.
 */
export interface GatewayLease<Binding extends TurnBinding = TurnBinding> {
  readonly socketPath: string;
  readonly token: string;
  /** From now on requests pass, paid for by this turn. Throws while another one is bound. */
  bind(binding: Binding): void;
  /**
   * Stops all traffic at once and cuts open requests. Resolves when every message's usage is stored, with the
   * rows that could not be stored in time: normally none.
   */
  unbind(): Promise<UsageRow<Binding>[]>;
  /** `unbind`, and the socket is gone for good. */
  close(): Promise<void>;
}

export class UnixSocketLease<Binding extends TurnBinding> implements GatewayLease<Binding> {
  readonly token = newGatewayToken();
  private readonly server: Server;
  private readonly open = new Map<Exchange<Binding>, Promise<void>>();
  private readonly bodies: BodyMemory;
  private binding: Binding | null = null;

  constructor(
    readonly socketPath: string,
    private readonly authorizer: RequestAuthorizer<Binding>,
    private readonly recorder: UsageRecorder<Binding>,
    private readonly limits: GatewayLimits,
    private readonly log: GatewayLog,
  ) {
    this.bodies = new BodyMemory(limits.heldBytes);
    this.server = createServer(
      { keepAliveTimeout: 120_000, requestTimeout: 300_000, maxHeaderSize: 64 * 1024 },
      (request, response) => void this.accept(request, response),
    );
    this.server.maxConnections = 64;
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.socketPath, resolve);
    });
    await chmod(this.socketPath, 0o600);
  }

  bind(binding: Binding): void {
    if (this.binding) throw new Error('a turn is bound to this lease already');
    this.binding = binding;
  }

  async unbind(): Promise<UsageRow<Binding>[]> {
    this.binding = null;
    for (const exchange of this.open.keys()) exchange.cancel();
    await Promise.all(this.open.values());
    return this.recorder.drain(this.limits.drainMs);
  }

  async close(): Promise<void> {
    this.server.close();
    await this.unbind();
    this.server.closeAllConnections();
    await rm(this.socketPath, { force: true });
  }

  private async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const path = servedPath(request);
    if (!sameToken(presentedToken(request), this.token)) return refuse(response, 'token');
    if (!this.binding) return refuse(response, 'unbound');
    if (path === null) return refuse(response, 'path');
    if (this.open.size >= this.limits.concurrentRequests) return refuse(response, 'busy');
    const exchange = new Exchange(this.binding, this.authorizer, this.recorder, this.limits, this.log);
    const share = this.bodies.share();
    const done = exchange.run(request, response, path, share);
    this.open.set(exchange, done);
    await done;
    share.giveBack();
    this.open.delete(exchange);
  }
}

/** The path to forward, rebuilt from what is known to be allowed; null for everything else. */
function servedPath(request: IncomingMessage): string | null {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  if (request.method !== 'POST' || !PATHS.has(path)) return null;
  return new URLSearchParams(query).get('beta') === 'true' ? `${path}?beta=true` : path;
}

function presentedToken(request: IncomingMessage): string {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' ? key : (request.headers.authorization ?? '').replace(/^Bearer /i, '');
}
