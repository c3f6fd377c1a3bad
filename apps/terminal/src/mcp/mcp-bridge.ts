import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { failureSentence, isLostSession, wasNotSent } from './send-failure';
import { openLink } from './server-link';

/** How often a request is tried that does not reach the server: about 15 seconds. */
const MAX_TRIES = 6;
const RETRY_MS = 3_000;
/** The end of the MCP session is not waited for longer. */
const LEAVE_MS = 2_000;

/** A request of the client that has no answer yet. `last`: where its stream is, once it has one. */
type Open = { last?: string; keepsProgress: boolean };

/**
 * Carries messages between a client at stdio and the server's /mcp. The client has one connection as long as the
 * program runs: when the server forgot its MCP session, the bridge begins another with what the client said first.
 */
export class McpBridge {
  private readonly open = new Map<RequestId, Open>();
  /** Where streams ended whose call was answered by an error, which the SDK would continue. */
  private readonly over = new Set<string>();
  private readonly watched = new Set<string>();
  private readonly prefix = `bridge-${randomUUID()}`;
  private calls = 0;
  private link: StreamableHTTPClientTransport;
  private initialize: JSONRPCRequest | null = null;
  private ready: Promise<void> = Promise.resolve();

  constructor(
    private readonly local: Transport,
    private readonly account: { server: string; token: string },
    private readonly onRefused: () => void,
  ) {
    this.link = this.newLink();
  }

  async start(): Promise<void> {
    await this.link.start();
    this.local.onmessage = (message) => void this.take(message);
    await this.local.start();
  }

  /** Ends the MCP session; turns that run continue. */
  async stop(): Promise<void> {
    const left = this.link.terminateSession().catch(() => undefined);
    await Promise.race([left, sleep(LEAVE_MS, undefined, { ref: false })]);
    await this.link.close();
    await this.local.close();
  }

  private newLink(): StreamableHTTPClientTransport {
    const link = openLink(this.account, {
      message: (message) => void this.give(message, link),
      refused: () => {
        this.failAll('The token of this connection is no longer good. Run chirality login, then connect again.');
        this.onRefused();
      },
      sessionLost: (streamEnd) => {
        for (const [id, { last }] of this.open)
          if (streamEnd !== undefined && last === streamEnd)
            this.fail(id, 'The call’s answer went with its MCP session. Look at what there is, then call again.');
        this.renew(link).catch(() => undefined);
      },
      isOver: (streamEnd) => this.over.delete(streamEnd),
    });
    return link;
  }

  private async take(message: JSONRPCMessage): Promise<void> {
    if (isInitializeRequest(message)) {
      this.initialize = message as JSONRPCRequest;
      // What comes after it needs the session that it begins.
      this.ready = this.carry(message);
      return;
    }
    await this.ready.catch(() => undefined);
    await this.carry(message);
  }

  /** Sends a message of the client. A request that cannot be sent is answered here. */
  private async carry(message: JSONRPCMessage): Promise<void> {
    const sent = this.noted(message);
    try {
      await this.sendInSession(sent);
    } catch (error) {
      if (isJSONRPCRequest(message)) this.fail(message.id, failureSentence(error));
    }
  }

  private async sendInSession(message: JSONRPCMessage): Promise<void> {
    const link = this.link;
    try {
      await this.sendOver(link, message);
    } catch (error) {
      if (!isLostSession(error) || isInitializeRequest(message)) throw error;
      await this.renew(link);
      await this.sendOver(this.link, message);
    }
  }

  private async sendOver(link: StreamableHTTPClientTransport, message: JSONRPCMessage): Promise<void> {
    const open = isJSONRPCRequest(message) ? this.open.get(message.id) : undefined;
    const onresumptiontoken = (last: string) => {
      if (open) open.last = last;
    };
    for (let tries = 1; ; tries += 1) {
      try {
        return await link.send(message, { onresumptiontoken });
      } catch (error) {
        if (tries === MAX_TRIES || !wasNotSent(error)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /** What the bridge has to know of a message later. A call without progress gets some: silent streams are cut. */
  private noted(message: JSONRPCMessage): JSONRPCMessage {
    if (isJSONRPCNotification(message)) {
      const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.end(cancelled, true);
    }
    if (!isJSONRPCRequest(message)) return message;
    const uri = message.params?.['uri'];
    if (message.method === 'resources/subscribe' && typeof uri === 'string') this.watched.add(uri);
    if (message.method === 'resources/unsubscribe' && typeof uri === 'string') this.watched.delete(uri);
    const keepsProgress = message.method !== 'tools/call' || message.params?._meta?.progressToken !== undefined;
    this.open.set(message.id, { keepsProgress });
    if (keepsProgress) return message;
    const progressToken = `${this.prefix}-${(this.calls += 1)}`;
    return { ...message, params: { ...message.params, _meta: { ...message.params?._meta, progressToken } } };
  }

  private async give(message: JSONRPCMessage, link: StreamableHTTPClientTransport): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const { id } = message;
      const version = isJSONRPCResultResponse(message) ? message.result['protocolVersion'] : undefined;
      if (typeof version === 'string') link.setProtocolVersion(version);
      // Answered already, given up by the client, or asked by the bridge.
      if (id === undefined || !this.end(id, isJSONRPCErrorResponse(message))) return;
    } else if ('method' in message && message.method === 'notifications/progress') {
      const token = message.params?.['progressToken'];
      if (typeof token === 'string' && token.startsWith(this.prefix)) return;
    }
    await this.local.send(message);
  }

  /** Begins another MCP session, once for all who found that the one of `lost` is over. */
  private renew(lost: StreamableHTTPClientTransport): Promise<void> {
    if (this.link !== lost || this.initialize === null) return this.ready;
    const link = this.newLink();
    this.link = link;
    this.ready = this.beginAgain(link, this.initialize).catch((error: unknown) => {
      // The next message tries again.
      if (this.link === link) this.link = lost;
      throw error;
    });
    return this.ready;
  }

  private async beginAgain(link: StreamableHTTPClientTransport, initialize: JSONRPCRequest): Promise<void> {
    await link.start();
    await this.sendOver(link, { ...initialize, id: `${this.prefix}-initialize` });
    await this.sendOver(link, { jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const uri of this.watched)
      await this.sendOver(link, {
        jsonrpc: '2.0',
        id: `${this.prefix}-${uri}`.slice(0, 200),
        method: 'resources/subscribe',
        params: { uri },
      });
  }

  private end(id: RequestId, byError: boolean): boolean {
    const last = this.open.get(id)?.last;
    if (byError && last !== undefined) this.over.add(last);
    return this.open.delete(id);
  }

  private fail(id: RequestId, message: string): void {
    if (!this.end(id, false)) return;
    void this.local.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } });
  }

  private failAll(message: string): void {
    for (const id of [...this.open.keys()]) this.fail(id, message);
  }
}
