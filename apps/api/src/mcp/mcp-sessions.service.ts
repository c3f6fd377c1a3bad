import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { InitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { McpSessionRepository, MAX_MCP_SUBSCRIPTIONS, type McpSession } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problems } from '../core/problem/problems';
import { eventsUri, resourceOf } from './mcp-uris';

const MAX_NAME = 200;
const SESSION_ID = /^[\w-]{32}$/;

/** Sessions of the MCP protocol, as rows: any node continues what another began. */
@Injectable()
export class McpSessionsService {
  constructor(
    private readonly records: McpSessionRepository,
    private readonly sessions: SessionAccess,
  ) {}

  async create(who: Principal, { clientInfo, capabilities }: InitializeRequest['params']): Promise<McpSession> {
    const session = {
      id: randomBytes(24).toString('base64url'),
      userId: who.user.id,
      opensPages: capabilities.elicitation?.url !== undefined,
    };
    await this.records.create({
      ...session,
      familyId: who.familyId,
      teamId: who.token?.teamId ?? null,
      client: { name: clientInfo.name.slice(0, MAX_NAME), version: clientInfo.version.slice(0, MAX_NAME) },
    });
    return session;
  }

  /** Throws NOT_FOUND for one that is over or of another token or sign-in: the client begins a new one. */
  async find(who: Principal, id: string | undefined): Promise<McpSession> {
    if (id === undefined)
      throw new ProblemError(
        'VALIDATION_FAILED',
        'The header Mcp-Session-Id is missing. Send initialize first, then the id that it answered with.',
      );
    const session = SESSION_ID.test(id)
      ? await this.records.find(id, { userId: who.user.id, familyId: who.familyId })
      : null;
    if (!session) throw problems.notFound('MCP session');
    await this.records.noteUse(session.id);
    return session;
  }

  end(mcpSession: McpSession): Promise<void> {
    return this.records.end(mcpSession.id);
  }

  /** Announces what comes from now on. */
  async attach(
    who: Principal,
    mcpSession: McpSession,
    sessionId: string,
  ): Promise<{ uri: string; lastEventId: number }> {
    const { id, lastEventId } = await this.sessions.forReading(who, sessionId);
    const uri = eventsUri(id);
    await this.add(mcpSession, { uri, sessionId: id, sinceEventId: lastEventId });
    return { uri, lastEventId };
  }

  async detach(who: Principal, mcpSession: McpSession, sessionId: string): Promise<void> {
    const { id } = await this.sessions.forReading(who, sessionId);
    await this.records.unsubscribe(mcpSession.id, eventsUri(id));
  }

  async subscribe(who: Principal, mcpSession: McpSession, uri: string): Promise<void> {
    const resource = resourceOf(uri);
    if (resource?.kind === 'sessions') return this.add(mcpSession, { uri, sessionId: null, sinceEventId: 0 });
    if (resource === null || !('sessionId' in resource) || resource.kind === 'file')
      throw new ProblemError(
        'VALIDATION_FAILED',
        'Changes are announced of the list of sessions, of a session, its events and its log.',
      );
    const { id, lastEventId } = await this.sessions.forReading(who, resource.sessionId);
    await this.add(mcpSession, { uri, sessionId: id, sinceEventId: lastEventId });
  }

  unsubscribe(mcpSession: McpSession, uri: string): Promise<void> {
    return this.records.unsubscribe(mcpSession.id, uri);
  }

  private async add(
    mcpSession: McpSession,
    subscription: { uri: string; sessionId: string | null; sinceEventId: number },
  ): Promise<void> {
    if (!(await this.records.subscribe(mcpSession.id, subscription)))
      throw new ProblemError(
        'CONFLICT',
        `An MCP session watches at most ${MAX_MCP_SUBSCRIPTIONS} resources. Detach from one first.`,
      );
  }
}
