import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { McpCall, McpSession } from '@chirality/database';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import type { Draining } from '../core/shutdown';
import { OpenPlaces } from '../event/open-places';
import { SessionReaders } from '../event/session-readers';
import { McpAnnouncer } from './mcp-announcer.service';
import { answer, refusal } from './mcp-results';
import { McpTurnsService, StreamOver } from './mcp-turns.service';
import { MessageStream } from './stream/message-stream';
import { resumeIdOf, resumePointOf, type ResumePoint } from './stream/resume-id';

const MAX_STREAMS = 2_000;
const MAX_STREAMS_PER_PERSON = 100;

/** Streams that a client opens: what is announced to it, and calls whose stream broke. */
@Injectable()
export class McpStreamsService implements Draining {
  private readonly open = new Set<MessageStream>();
  private readonly places = new OpenPlaces({ total: MAX_STREAMS, perPerson: MAX_STREAMS_PER_PERSON });

  constructor(
    private readonly turns: McpTurnsService,
    private readonly announcer: McpAnnouncer,
    private readonly readers: SessionReaders,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async serve(who: Principal, session: McpSession, lastEventId: string | undefined, response: Response): Promise<void> {
    const point = lastEventId === undefined ? null : resumePointOf(lastEventId);
    if (lastEventId !== undefined && point === null)
      throw new ProblemError('VALIDATION_FAILED', 'The Last-Event-ID is none of this server’s. Open a new stream.');
    this.readers.refuseTooMany(who);
    const leave = this.places.take(who);
    try {
      await this.stream(who, session, point, response);
    } finally {
      leave();
    }
  }

  /** Ends every stream without an answer; clients come back and continue. */
  drain(): void {
    for (const stream of this.open) stream.end();
  }

  private async stream(
    who: Principal,
    session: McpSession,
    point: ResumePoint | null,
    response: Response,
  ): Promise<void> {
    const call = point?.of === 'call' ? await this.turns.find(session, point.requestId) : null;
    const stream = new MessageStream(response);
    this.open.add(stream);
    try {
      if (point?.of === 'call') await this.resume(who, session, point, call, stream);
      else await this.announcer.announce(who, session, point, stream);
    } catch (error) {
      if (!(error instanceof StreamOver)) this.log.warn({ err: error }, 'mcp.stream_failed');
    } finally {
      this.open.delete(stream);
      stream.end();
    }
  }

  private async resume(
    who: Principal,
    session: McpSession,
    { requestId, after }: ResumePoint & { of: 'call' },
    call: McpCall | null,
    stream: MessageStream,
  ): Promise<void> {
    let cursor = after;
    const idOf = (at: number) => resumeIdOf({ of: 'call', requestId, after: at });
    const { turnId } = call ?? {};
    if (!call || !turnId) return stream.send(lostAnswer(requestId), idOf(after));
    const outlet = {
      requestId,
      opensPages: session.opensPages,
      send: (message: Parameters<MessageStream['send']>[0], at: number) => stream.send(message, idOf((cursor = at))),
    };
    const result = await this.turns
      .follow(who, { ...call, turnId }, outlet, { after: Math.max(after, call.afterEventId), signal: stream.left })
      .then(answer)
      .catch((error: unknown) => {
        if (error instanceof StreamOver) throw error;
        return refusal(error, this.log);
      });
    stream.send({ jsonrpc: '2.0', id: requestId, result }, idOf(cursor));
  }
}

/** The call began no turn, or its answer was a short one that went with the connection. */
function lostAnswer(id: RequestId) {
  const message = 'The answer went with the connection. Look at what there is, then call again.';
  return { jsonrpc: '2.0' as const, id, error: { code: ErrorCode.InternalError, message } };
}
