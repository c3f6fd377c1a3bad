import { Inject, Injectable } from '@nestjs/common';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport, type EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpSession } from '@chirality/database';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import type { Request, Response } from 'express';
import { requireCommand, type Principal } from '../access/principal';
import { Installation } from '../instance/installation';
import { McpActs } from './mcp-acts';
import { McpResourcesService } from './mcp-resources.service';
import { McpServices } from './mcp-services';
import { McpSessionsService } from './mcp-sessions.service';
import { registerTools, WAITING_TOOLS } from './mcp-tools';
import { RESOURCE_TEMPLATES } from './mcp-uris';
import { StreamOver } from './mcp-turns.service';
import { RETRY_MS } from './stream/message-stream';
import { MAX_ID_LENGTH, resumeIdOf } from './stream/resume-id';
import type { CallOutlet } from './stream/turn-follower';
import { WaitingBytes } from './stream/waiting-bytes';

const INSTRUCTIONS =
  'Chirality runs Claude Code for a team, in sandboxes. create_session, then run_agent_with_shell_access; its answer has text, cost and tools. Files of a session are resources: chirality://v1/session/{id}/files/{path}. Permission requests are answered by people in the dashboard, never by you.';

/** One message of a client, answered by a server that lives as long as the answer: what lasts is in rows. */
@Injectable()
export class McpRequestsService {
  constructor(
    private readonly sessions: McpSessionsService,
    private readonly resources: McpResourcesService,
    private readonly services: McpServices,
    private readonly installation: Installation,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async answer(who: Principal, request: Request, response: Response): Promise<void> {
    const body: unknown = request.body;
    if (Array.isArray(body))
      throw new ProblemError('VALIDATION_FAILED', 'Send one message at a time: batches are no part of the protocol.');
    const unfit = tooLongIn(body);
    if (unfit !== null) return void response.status(400).json(refusedId(unfit));
    const initialize = InitializeRequestSchema.safeParse(body);
    if (initialize.success) {
      const session = await this.sessions.create(who, initialize.data.params);
      response.setHeader('mcp-session-id', session.id);
      return this.serve(who, session, request, response, false);
    }
    const session = await this.sessions.find(who, headerOf(request, 'mcp-session-id'));
    if (isJSONRPCRequest(body)) return this.serve(who, session, request, response, isWaiting(body));
    if (isJSONRPCNotification(body)) {
      const cancelled = body.method === 'notifications/cancelled' ? body.params?.['requestId'] : undefined;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') {
        requireCommand(who, 'turn:interrupt');
        await this.services.turns.cancel(who, session, cancelled);
      }
    } else if (!isJSONRPCResultResponse(body) && !isJSONRPCErrorResponse(body))
      throw new ProblemError('VALIDATION_FAILED', 'The body is no message of JSON-RPC 2.0.');
    // What a client answers to a request of ours changes nothing: the person answers in the dashboard.
    response.status(202).end();
  }

  private async serve(
    who: Principal,
    session: McpSession,
    request: Request,
    response: Response,
    isStream: boolean,
  ): Promise<void> {
    const requestId = (request.body as { id: RequestId }).id;
    const store = new PositionStore(requestId);
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: !isStream,
      retryInterval: RETRY_MS,
      ...(isStream ? { eventStore: store } : {}),
    });
    const waiting = new WaitingBytes(response);
    const server = this.server(who, session, {
      requestId,
      opensPages: session.opensPages,
      send: (message, cursor) => {
        store.after = cursor;
        waiting.add(message);
        // A client that is gone reads it when it continues.
        transport.send(message, { relatedRequestId: requestId }).catch(() => undefined);
      },
    });
    transport.onerror = (error) => this.log.debug({ err: error }, 'mcp.transport_failed');
    response.once('close', () => void server.close());
    // The types of the transport's optional handlers are narrower than those that it is asked for.
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  }

  private server(who: Principal, session: McpSession, outlet: CallOutlet): McpServer {
    const mcp = new McpServer(
      { name: 'chirality', title: 'Chirality', version: this.installation.version },
      { instructions: INSTRUCTIONS },
    );
    const acts = new McpActs(this.services, who, session, outlet);
    registerTools(mcp, acts, (error) => {
      // The stream ends without an answer, which makes the client come back for it.
      if (error instanceof StreamOver) void mcp.close();
    });
    const { server } = mcp;
    server.registerCapabilities({ resources: { subscribe: true } });
    server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => this.resources.list(who, params?.cursor));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [...RESOURCE_TEMPLATES],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => this.resources.read(who, params.uri));
    server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) =>
      this.resources.guarded(who, uri, () => this.sessions.subscribe(who, session, uri).then(empty)),
    );
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) =>
      this.resources.guarded(who, uri, () => this.sessions.unsubscribe(session, uri).then(empty)),
    );
    return mcp;
  }
}

/** Stores nothing: the log has what a stream says, and the id says from where. */
class PositionStore implements EventStore {
  after = 0;

  constructor(private readonly requestId: RequestId) {}

  storeEvent(): Promise<string> {
    return Promise.resolve(resumeIdOf({ of: 'call', requestId: this.requestId, after: this.after }));
  }

  /** A stream is continued by a separate request, which no transport of this kind sees. */
  replayEventsAfter(): Promise<string> {
    return Promise.reject(new Error('a stream is continued elsewhere'));
  }
}

/** Which of a message's ids has no fit length; null where all have. */
function tooLongIn(body: unknown): string | null {
  const { id, params } = (body ?? {}) as { id?: unknown; params?: { requestId?: unknown; _meta?: unknown } | null };
  const { progressToken } = (params?._meta ?? {}) as { progressToken?: unknown };
  const ids = { id, 'params.requestId': params?.requestId, 'params._meta.progressToken': progressToken };
  const [name] =
    Object.entries(ids).find(([, value]) => typeof value === 'string' && value.length > MAX_ID_LENGTH) ?? [];
  return name ?? null;
}

/** The id itself is not repeated. */
function refusedId(name: string) {
  const message = `${name} may have at most ${MAX_ID_LENGTH} characters.`;
  return { jsonrpc: '2.0', id: null, error: { code: ErrorCode.InvalidRequest, message } };
}

function empty(): Record<string, never> {
  return {};
}

function isWaiting({ method, params }: JSONRPCRequest): boolean {
  return method === 'tools/call' && WAITING_TOOLS.has(String(params?.['name']));
}

export function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
