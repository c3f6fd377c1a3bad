import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { moneySchema, turnStatusSchema, type Options, type Turn } from '@chirality/contracts';
import { McpCallRepository, TurnRepository, turnKeyOf, type McpCall, type McpSession } from '@chirality/database';
import { isFinal } from '@chirality/domain';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import type { ReadEnd } from '../event/session-reader';
import { SessionReaders } from '../event/session-readers';
import { TurnActsService } from '../turn/turn-acts.service';
import { TurnsService } from '../turn/turns.service';
import { TurnFollower, type CallOutlet } from './stream/turn-follower';

/** What a call that waited answers. */
export const turnResultSchema = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  status: turnStatusSchema,
  /** Claude's answer. Empty while the turn runs. */
  text: z.string(),
  /** Why it did not complete. */
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  /** US dollars; null where the model has no price. */
  costUsd: moneySchema.nullable(),
  /** Messages of the model. */
  turns: z.number().int(),
  /** Each tool once, in the order of their first use. */
  toolsUsed: z.array(z.string()),
  toolCalls: z.number().int(),
  /** The session's page in the dashboard. */
  page: z.string(),
});
type TurnResult = z.infer<typeof turnResultSchema>;

/** The call's stream has to end without an answer: the client continues it, here or on another node. */
export class StreamOver extends Error {}

type Caller = { who: Principal; mcpSession: McpSession; requestId: RequestId; progressToken: RequestId | undefined };

@Injectable()
export class McpTurnsService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    private readonly sessions: SessionAccess,
    private readonly turns: TurnsService,
    private readonly records: TurnRepository,
    private readonly acts: TurnActsService,
    private readonly calls: McpCallRepository,
    private readonly readers: SessionReaders,
  ) {}

  /** Begins a turn; the same request begins it once, whichever node it reaches and whatever died in between. */
  async begin(
    { who, mcpSession, requestId, progressToken }: Caller,
    sessionId: string,
    { message, options }: { message: string; options: Options },
  ): Promise<McpCall & { turnId: string }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const call = await this.calls.begin(mcpSession.id, JSON.stringify(requestId), {
      sessionId: session.id,
      ownsTurn: true,
      turnId: null,
      afterEventId: session.lastEventId,
      progressToken: progressToken === undefined ? null : JSON.stringify(progressToken),
    });
    if (call.sessionId !== session.id) throw usedRequest();
    const body = { message, options, attachments: [] };
    const { turn } = await this.turns.sendNow(who, sessionId, { body, key: turnKeyOf(call), wait: false });
    const begun = { ...call, turnId: turn.id };
    if (await this.calls.noteTurn(call.id, turn.id)) await this.interrupt(who, begun);
    return begun;
  }

  /** Waits for a turn that is there: the named one, else the one that runs, else the last. */
  async join(caller: Caller, sessionId: string, turnId: string | undefined): Promise<McpCall & { turnId: string }> {
    const session = await this.sessions.forReading(caller.who, sessionId);
    const wanted = turnId ?? session.activeTurnId ?? (await this.records.list(session.id, { limit: 1 })).data[0]?.id;
    const turn = wanted && (await this.records.find(session.id, knownId('turn', wanted)));
    if (!turn) throw problems.notFound('turn');
    const call = await this.calls.begin(caller.mcpSession.id, JSON.stringify(caller.requestId), {
      sessionId: session.id,
      ownsTurn: false,
      turnId: turn.id,
      afterEventId: session.lastEventId,
      progressToken: caller.progressToken === undefined ? null : JSON.stringify(caller.progressToken),
    });
    if (call.turnId === null) throw usedRequest();
    return { ...call, turnId: call.turnId };
  }

  /**
   * Follows the call's turn to its end, or for `limitMs`, and answers what came of it. Throws SESSION_NOT_FOUND
   * for a person or token that may no longer read the session, and StreamOver where the server stops meanwhile.
   */
  async follow(
    who: Principal,
    call: McpCall & { turnId: string },
    outlet: CallOutlet,
    { after = call.afterEventId, signal, limitMs }: { after?: number; signal: AbortSignal; limitMs?: number },
  ): Promise<TurnResult> {
    const { sessionId, turnId } = call;
    await this.sessions.forReading(who, sessionId);
    const turn = await this.records.find(sessionId, turnId);
    if (!turn) throw problems.notFound('turn');
    if (isFinal(turn.status)) return this.resultOf(turn);
    const ranMs = Math.max(0, Date.now() - Date.parse(turn.queuedAt));
    const follower = new TurnFollower(call, outlet, this.pageOf(sessionId), after, ranMs);
    const limit = limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)];
    try {
      const end = await this.readers.readTurn({
        who,
        sessionId,
        turnId,
        after,
        signal: AbortSignal.any([signal, ...limit]),
        onEvents: (events) => follower.see(events),
      });
      if (end !== 'ended' && !limit[0]?.aborted) throw overOf(end);
    } finally {
      follower.stop();
    }
    return this.resultOf((await this.records.find(sessionId, turnId)) ?? turn);
  }

  async result(who: Principal, sessionId: string, turnId: string): Promise<TurnResult> {
    return this.resultOf(await this.turns.get(who, sessionId, turnId));
  }

  /** The call behind a request of this MCP session; one that began no turn is null. */
  find(mcpSession: McpSession, requestId: RequestId): Promise<McpCall | null> {
    return this.calls.find(mcpSession.id, JSON.stringify(requestId));
  }

  /** What a client no longer wants is interrupted where it began it, on whichever node that was. */
  async cancel(who: Principal, mcpSession: McpSession, requestId: RequestId): Promise<void> {
    const call = await this.calls.cancel(mcpSession.id, JSON.stringify(requestId));
    // Without a turn there is nothing to interrupt yet: the request that begins it sees the cancellation.
    if (call) await this.interrupt(who, call);
  }

  pageOf(sessionId: string): string {
    return `${this.config.publicUrl}/sessions/${sessionId}`;
  }

  private async interrupt(who: Principal, { sessionId, turnId }: McpCall): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    if (turnId !== null && session.activeTurnId === turnId) await this.acts.interrupt(who, sessionId);
  }

  private async resultOf(turn: Turn): Promise<TurnResult> {
    const { messages, tools, toolCalls } = await this.calls.effortOf(turn.sessionId, turn.id);
    return {
      sessionId: turn.sessionId,
      turnId: turn.id,
      status: turn.status,
      text: turn.text,
      error: turn.error,
      costUsd: turn.costUsd,
      turns: messages,
      toolsUsed: tools,
      toolCalls,
      page: this.pageOf(turn.sessionId),
    };
  }
}

function overOf(end: ReadEnd): Error {
  if (end === 'signed-out') return problems.unauthenticated('The token has ended. The turn continues.');
  if (end === 'no-access') return problems.sessionNotFound();
  return new StreamOver();
}

function usedRequest(): ProblemError {
  return new ProblemError('CONFLICT', 'This request id was used for another call. Use each id once in an MCP session.');
}
