import { Injectable } from '@nestjs/common';
import type { Envelope, Page } from '@chirality/contracts';
import { EventRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Request, Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { OpenStreams } from './open-streams';

export type EventsQuery = { after: number; before?: number | undefined; limit: number };

@Injectable()
export class EventsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly events: EventRepository,
    private readonly streams: OpenStreams,
  ) {}

  /** A page or, for who accepts it, a stream; either begins after the cursor. */
  async answer(
    who: Principal,
    sessionId: string,
    query: EventsQuery,
    request: Request,
    response: Response,
  ): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    const wantsStream = request.accepts(['json', 'text/event-stream']) === 'text/event-stream';
    const after = wantsStream ? (lastSeenOf(request) ?? query.after) : query.after;
    const lastEventId = Math.max(session.lastEventId, after === 0 ? 0 : await this.events.lastEventId(session.id));
    if (after > lastEventId) throw cursorAhead(lastEventId);
    if (wantsStream) return this.streams.serve(who, session.id, after, { response, isPresent: isPresent(request) });
    response.json(await this.page(session.id, query));
  }

  /** A page of the log, as the route answers it. Throws CURSOR_AHEAD. */
  async read(who: Principal, sessionId: string, query: EventsQuery): Promise<Page<Envelope>> {
    const session = await this.sessions.forReading(who, sessionId);
    const lastEventId = query.after === 0 ? 0 : await this.events.lastEventId(session.id);
    if (query.after > lastEventId) throw cursorAhead(lastEventId);
    return this.page(session.id, query);
  }

  /** With `before` alone the page that ends there, so that a reader can go backwards. */
  private async page(sessionId: string, { after, before, limit }: EventsQuery): Promise<Page<Envelope>> {
    if (before !== undefined && after === 0) {
      const data = await this.events.readEventsBefore(sessionId, { before, limit });
      return { data, nextCursor: null };
    }
    const data = await this.events.readEvents(sessionId, { after, ...(before === undefined ? {} : { before }), limit });
    const last = data.at(-1)?.id;
    return { data, nextCursor: data.length === limit && last !== undefined ? String(last) : null };
  }
}

export function cursorAhead(lastEventId: number): ProblemError {
  return new ProblemError(
    'CURSOR_AHEAD',
    `The log ends at ${lastEventId}. Drop what you have and start again after 0.`,
    { lastEventId },
  );
}

/** A page that someone has before them, which cannot say so over a socket. */
function isPresent(request: Request): boolean {
  return request.headers['x-client-presence'] === 'present';
}

function lastSeenOf(request: Request): number | null {
  const header = request.headers['last-event-id'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
