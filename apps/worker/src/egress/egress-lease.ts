import { chmod, rm } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newGatewayToken } from '../gateway/gateway-token';
import { parseAuthority, decideDestination, type Destination, type Verdict } from './decide-destination';
import { admitByToken } from './admission';
import { EgressRecord } from './egress-record';
import type { EgressBinding, EgressLimits, EgressLog, EgressLogSink, EgressNetwork } from './egress.types';
import { forwardRequest, readAbsoluteUrl } from './forward-request';
import { openTunnel } from './open-tunnel';
import { refusalResponse } from './refusal';

/** The way of one process out of its sandbox: one socket, one token, and nothing passes while no turn is bound. */
export interface EgressLease {
  readonly socketPath: string;
  readonly token: string;
  /** From now on listed hosts can be reached, for this turn. Throws while another one is bound. */
  bind(binding: EgressBinding): void;
  /** Stops all traffic at once and cuts open connections. Resolves when the log is stored. */
  unbind(): Promise<void>;
  /** `unbind`, and the socket is gone for good. */
  close(): Promise<void>;
}

export type LeaseParts = {
  hosts: readonly string[];
  network: EgressNetwork;
  limits: EgressLimits;
  sink: EgressLogSink;
  log: EgressLog;
};

export class UnixEgressLease implements EgressLease {
  readonly token = newGatewayToken();
  private readonly server: Server;
  private readonly http: HttpServer;
  private readonly open = new Set<Duplex>();
  private bound: EgressRecord | null = null;

  constructor(
    readonly socketPath: string,
    private readonly parts: LeaseParts,
  ) {
    this.http = createHttpServer(
      { maxHeaderSize: 32 * 1024, requestTimeout: 0, requireHostHeader: false },
      (request, response) => void this.forward(request, response).catch(() => response.destroy()),
    );
    this.http.on(
      'connect',
      (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        void this.tunnel(request, socket, head).catch(() => socket.destroy()),
    );
    this.http.on('clientError', (_error, socket) => socket.destroy());
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = parts.limits.connections;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.socketPath, resolve);
    });
    await chmod(this.socketPath, 0o600);
  }

  bind(binding: EgressBinding): void {
    if (this.bound) throw new Error('a turn is bound to this lease already');
    this.bound = new EgressRecord(binding, this.parts.sink, this.parts.log);
  }

  async unbind(): Promise<void> {
    const record = this.bound;
    this.bound = null;
    for (const stream of this.open) stream.destroy();
    await record?.flush();
  }

  async close(): Promise<void> {
    this.server.close();
    await this.unbind();
    await rm(this.socketPath, { force: true });
  }

  private accept(socket: Socket): void {
    this.hold(socket);
    admitByToken(socket, this.token, () => this.http.emit('connection', socket));
  }

  private async tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const destination = parseAuthority(request.url ?? '');
    if (!destination) return void client.end(refusalResponse(String(request.url).slice(0, 200), 'request'));
    const verdict = await this.decide(destination);
    if (verdict.decision !== 'allowed')
      return void client.end(refusalResponse(`${destination.host}:${destination.port}`, verdict.decision));
    openTunnel({
      client,
      head,
      destination,
      addresses: verdict.addresses,
      limits: this.parts.limits,
      hold: (stream) => this.hold(stream),
      note: this.noteFor(destination),
    });
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = readAbsoluteUrl(request.url ?? '');
    if (!url) return void response.socket?.end(refusalResponse('this address', 'request'));
    const destination = { host: url.hostname.replace(/\.$/, ''), port: Number(url.port || 80) };
    const verdict = await this.decide(destination);
    if (verdict.decision !== 'allowed')
      return void response.socket?.end(refusalResponse(`${destination.host}:${destination.port}`, verdict.decision));
    forwardRequest({
      request,
      response,
      url,
      addresses: verdict.addresses,
      limits: this.parts.limits,
      hold: (stream) => this.hold(stream),
      note: this.noteFor(destination),
    });
  }

  /** What is allowed is recorded with its connection; a turn that ended meanwhile has nothing more to allow. */
  private async decide(destination: Destination): Promise<Verdict | { decision: 'unbound' }> {
    const record = this.bound;
    if (!record) return { decision: 'unbound' };
    const verdict = await decideDestination(destination, this.parts.hosts, this.parts.network);
    if (this.bound !== record) return { decision: 'unbound' };
    if (verdict.decision !== 'allowed') record.note(destination.host, destination.port, verdict.decision);
    return verdict;
  }

  private noteFor({ host, port }: Destination): (decision: 'allowed' | 'unreachable') => void {
    const record = this.bound;
    return (decision) => record?.note(host, port, decision);
  }

  private hold(stream: Duplex): void {
    this.open.add(stream);
    stream.on('error', () => stream.destroy());
    stream.once('close', () => this.open.delete(stream));
  }
}
