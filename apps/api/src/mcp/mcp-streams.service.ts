import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { McpSessionRepository, type McpCall, type McpSession, type McpSubscription } from '@chirality/database';
import { SessionChannel } from '@chirality/messaging';
import { every, LOG, ProblemError, type Logger } from '@chirality/platform';
import type { Response } from 'express';
import { AccessWatch } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problemOf } from '../core/problem/problem-of';
import type { Draining } from '../core/shutdown';
import { SessionReaders } from '../event/session-readers';
import { Announcements } from './stream/announcements';
import { answer, refusal } from './mcp-results';
import { McpTurnsService, StreamOver } from './mcp-turns.service';
import { MessageStream } from './stream/message-stream';
import { resumeIdOf, resumePointOf, type ResumePoint } from './stream/resume-id';

/** How soon a stream hears of what was subscribed to at another node. */
const LOOK_MS = 1_000;

/** Streams that a client opens: what is announced to it, and calls whose stream broke. */
@Injectable()
export class McpStreamsService implements Draining {
  private readonly open = new Set<MessageStream>();

  constructor(
    private readonly records: McpSessionRepository,
    private readonly turns: McpTurnsService,
    private readonly access: SessionAccess,
    private readonly readers: SessionReaders,
    private readonly watch: AccessWatch,
    private readonly channel: SessionChannel,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async serve(who: Principal, session: McpSession, lastEventId: string | undefined, response: Response): Promise<void> {
    const point = lastEventId === undefined ? null : resumePointOf(lastEventId);
    if (lastEventId !== undefined && point === null)
      throw new ProblemError('VALIDATION_FAILED', 'The Last-Event-ID is none of this server’s. Open a new stream.');
    this.readers.refuseTooMany(who);
    const call = point?.of === 'call' ? await this.turns.find(session, point.requestId) : null;
    const stream = new MessageStream(response);
    this.open.add(stream);
    try {
      if (point?.of === 'call') await this.resume(who, session, point, call, stream);
      else await this.announce(who, session, point, stream);
    } catch (error) {
      if (!(error instanceof StreamOver)) this.log.warn({ err: error }, 'mcp.stream_failed');
    } finally {
      this.open.delete(stream);
      stream.end();
    }
  }

  /** Ends every stream without an answer; clients come back and continue. */
  drain(): void {
    for (const stream of this.open) stream.end();
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

  /** For as long as the client reads, the session is there and its token is good. */
  private async announce(
    who: Principal,
    session: McpSession,
    point: (ResumePoint & { of: 'session' }) | null,
    stream: MessageStream,
  ): Promise<void> {
    const announcements = new Announcements({
      read: (subscription, signal, onEvents) =>
        this.readers.read({
          who,
          sessionId: subscription.sessionId,
          after: sinceOf(subscription, point),
          signal,
          onEvents: (events) => onEvents(events.at(-1)?.id ?? 0),
        }),
      send: (uri, at) =>
        stream.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }, resumeIdOf(at)),
    });
    const look = async () => {
      const subscriptions = await this.records.subscriptions(session.id);
      if (subscriptions === null) return stream.end();
      announcements.keep(subscriptions);
    };
    const failed = (error: unknown) => {
      if (!problemOf(error).expected) this.log.warn({ err: error }, 'mcp.subscriptions_not_read');
    };
    await look();
    const stopLooking = every(LOOK_MS, () => void look().catch(failed), { background: true });
    const unsubscribe = this.channel.subscribe(({ sessionId }) => {
      if (!announcements.watchesList) return;
      void this.access.rightsIn(who, sessionId).then((rights) => rights && announcements.noteList(), failed);
    });
    const unwatch = this.watch.watch({
      who,
      sessionId: null,
      still: () => Promise.resolve({ mayAnswer: false }),
      renew: () => undefined,
      end: () => stream.end(),
    });
    try {
      await new Promise<void>((resolve) => {
        if (stream.left.aborted) resolve();
        else stream.left.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      stopLooking();
      unsubscribe();
      unwatch();
      announcements.close();
    }
  }
}

function sinceOf(
  { sessionId, sinceEventId }: McpSubscription & { sessionId: string },
  point: (ResumePoint & { of: 'session' }) | null,
): number {
  return point?.sessionId === sessionId ? Math.max(point.after, sinceEventId) : sinceEventId;
}

/** The call began no turn, or its answer was a short one that went with the connection. */
function lostAnswer(id: RequestId) {
  const message = 'The answer went with the connection. Look at what there is, then call again.';
  return { jsonrpc: '2.0' as const, id, error: { code: ErrorCode.InternalError, message } };
}
