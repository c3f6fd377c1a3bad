import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Command, CreateSession, Options, PermissionDecision, Session } from '@chirality/contracts';
import type { McpSession } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { requireCommand, type Principal } from '../access/principal';
import { requireCommandScope } from '../access/token-routes';
import type { ShownSession, ToolCall } from './mcp-shapes';
import type { McpServices } from './mcp-services';
import { answer, refusal } from './mcp-results';
import type { CallOutlet } from './stream/turn-follower';
import { StreamOver } from './mcp-turns.service';

type OfSession = { sessionId: string };
type RunInput = OfSession & { message: string; wait: boolean } & Pick<
    Options,
    'model' | 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs'
  >;

const PROJECTS_LISTED = 100;

/**
 * The tools of one request: each parses nothing and decides nothing, and calls the service that the same act has over
 * HTTP.
 */
export class McpActs {
  constructor(
    private readonly services: McpServices,
    private readonly who: Principal,
    private readonly mcpSession: McpSession,
    private readonly outlet: CallOutlet,
  ) {}

  /** What is refused is an answer that the model reads, and in the audit log where a right or claim was missing. */
  async guarded(command: Command, input: object, act: () => Promise<CallToolResult>): Promise<CallToolResult> {
    try {
      requireCommandScope(this.who, command);
      return await act();
    } catch (error) {
      if (error instanceof StreamOver) throw error;
      const { sessionId } = input as Record<string, unknown>;
      void this.services.denied.noteRefusal(this.who, command, { session: sessionId }, error);
      return refusal(error, this.services.log);
    }
  }

  async createSession({
    projectId,
    model,
    ...request
  }: Omit<CreateSession, 'projectId' | 'workspace' | 'harness' | 'options' | 'awaitsMessage'> & {
    projectId?: string | undefined;
    model?: string | undefined;
  }): Promise<CallToolResult> {
    const session = await this.services.sessions.create(this.who, {
      ...request,
      projectId: projectId ?? (await this.onlyProject()),
      workspace: 'own',
      harness: 'claude-code',
      awaitsMessage: false,
      options: model === undefined ? {} : { model },
    });
    return answer({ session: this.shown(session) });
  }

  async listSessions(query: {
    projectId?: string | undefined;
    search?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  }): Promise<CallToolResult> {
    const [page, projects] = await Promise.all([
      this.services.sessions.list(this.who, { ...query, archived: false }),
      this.projects(),
    ]);
    return answer({
      sessions: page.data.map((session) => this.shown(session)),
      nextCursor: page.nextCursor,
      projects: projects.map(({ id, name }) => ({ id, name })),
    });
  }

  async attach({ sessionId }: OfSession): Promise<CallToolResult> {
    requireCommand(this.who, 'events:read');
    const { uri, lastEventId } = await this.services.mcpSessions.attach(this.who, this.mcpSession, sessionId);
    const session = await this.services.sessions.get(this.who, sessionId);
    return answer({ session: this.shown(session), resource: uri, lastEventId });
  }

  async detach({ sessionId }: OfSession): Promise<CallToolResult> {
    await this.services.mcpSessions.detach(this.who, this.mcpSession, sessionId);
    return answer({ detached: true });
  }

  async run({ sessionId, message, wait, ...options }: RunInput, call: ToolCall): Promise<CallToolResult> {
    const { turns } = this.services;
    const begun = await turns.begin(this.caller(call), sessionId, { message, options: given(options) });
    const { signal } = call;
    return answer(
      wait
        ? await turns.follow(this.who, begun, this.outlet, { signal })
        : await turns.result(this.who, begun.sessionId, begun.turnId),
    );
  }

  async wait(
    {
      sessionId,
      turnId,
      timeoutSeconds,
    }: OfSession & { turnId?: string | undefined; timeoutSeconds?: number | undefined },
    call: ToolCall,
  ): Promise<CallToolResult> {
    const { turns } = this.services;
    const joined = await turns.join(this.caller(call), sessionId, turnId);
    const limit = timeoutSeconds === undefined ? {} : { limitMs: timeoutSeconds * 1_000 };
    return answer(await turns.follow(this.who, joined, this.outlet, { signal: call.signal, ...limit }));
  }

  async cancel({ sessionId }: OfSession): Promise<CallToolResult> {
    const { turn } = await this.services.acts.interrupt(this.who, sessionId);
    return answer({ turnId: turn?.id ?? null, status: turn?.status ?? null });
  }

  async answerPermission({
    sessionId,
    permissionId,
    ...decision
  }: OfSession & { permissionId: string } & PermissionDecision): Promise<CallToolResult> {
    const permission = await this.services.permissions.answer(this.who, sessionId, permissionId, decision);
    return answer({ permissionId: permission.id, outcome: permission.outcome });
  }

  /** Beside those that the session has: what is not named stays. */
  async setOptions(sessionId: string, changed: Pick<Options, 'model' | 'permissionMode'>): Promise<CallToolResult> {
    const session = await this.services.sessions.setOptions(this.who, sessionId, changed);
    return answer({ session: this.shown(session) });
  }

  async end({ sessionId }: OfSession): Promise<CallToolResult> {
    await this.services.sessions.archive(this.who, sessionId);
    return answer({ ended: true });
  }

  private caller({ requestId, progressToken }: ToolCall) {
    return { who: this.who, mcpSession: this.mcpSession, requestId, progressToken };
  }

  private async onlyProject(): Promise<string> {
    const [only, ...others] = await this.projects();
    if (only !== undefined && others.length === 0) return only.id;
    const names = [only, ...others].flatMap((project) => (project ? [`${project.id} (${project.name})`] : []));
    throw new ProblemError(
      'VALIDATION_FAILED',
      names.length === 0
        ? 'There is no project that you may see. Ask a person to make one.'
        : `Name the project by projectId: ${names.slice(0, 20).join(', ')}.`,
    );
  }

  private async projects() {
    return (await this.services.projects.list(this.who, { archived: false, limit: PROJECTS_LISTED })).data;
  }

  private shown(session: Session): ShownSession {
    const { id, title, projectId, status, mode, persona, options, activeTurnId, lastEventId, costUsd, updatedAt } =
      session;
    return {
      id,
      title,
      projectId,
      status,
      mode,
      persona,
      model: options.model ?? null,
      permissionMode: options.permissionMode ?? null,
      activeTurnId,
      lastEventId,
      costUsd,
      updatedAt,
      page: this.services.turns.pageOf(id),
    };
  }
}

/** Without those that were left out. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
