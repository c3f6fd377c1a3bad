import { Injectable } from '@nestjs/common';
import type { Envelope } from '@chirality/contracts';
import { EventRepository } from '@chirality/database';
import { AccessWatch } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import type { Draining } from '../core/shutdown';
import { FeedRegistry } from './feed-registry';
import { OpenPlaces } from './open-places';
import { SessionReader, type ReadEnd, type ReaderOptions } from './session-reader';

const MAX_READERS = 2_000;
const MAX_READERS_PER_PERSON = 100;

type ReadRequest = Pick<ReaderOptions, 'after' | 'signal' | 'onEvents'> & { who: Principal; sessionId: string };

/** Those who read a session's events in another form than the stream of envelopes. */
@Injectable()
export class SessionReaders implements Draining {
  private readonly readers = new Set<SessionReader>();
  private readonly places = new OpenPlaces({ total: MAX_READERS, perPerson: MAX_READERS_PER_PERSON });
  private stopping = false;

  constructor(
    private readonly sessions: SessionAccess,
    private readonly access: AccessWatch,
    private readonly feeds: FeedRegistry,
    private readonly events: EventRepository,
  ) {}

  /** Throws RATE_LIMITED where the person has too many open. For before something is begun that would be read. */
  refuseTooMany(who: Principal): void {
    this.places.refuseWhenFull(who);
  }

  /** The caller has checked that the person may read the session. Settles once it is over. */
  async read(request: ReadRequest): Promise<ReadEnd> {
    const leave = this.places.take(request.who);
    try {
      return await this.readFeed(request);
    } finally {
      leave();
    }
  }

  /**
   * Events of one turn after the cursor, through its end. Answers `ended` once the end was passed on, otherwise why it
   * was not.
   */
  async readTurn(request: ReadRequest & { turnId: string }): Promise<'ended' | ReadEnd> {
    const enough = new AbortController();
    let hasEnded = false;
    const end = await this.read({
      ...request,
      signal: AbortSignal.any([request.signal, enough.signal]),
      onEvents: (events) => {
        const own = ofTurn(hasEnded ? [] : events, request.turnId);
        hasEnded ||= own.at(-1)?.kind === 'turn:end';
        const passed = own.length > 0 ? request.onEvents(own) : undefined;
        if (hasEnded) enough.abort();
        return passed;
      },
    });
    return hasEnded ? 'ended' : end;
  }

  drain(): void {
    this.stopping = true;
    for (const reader of this.readers) reader.stop();
  }

  private async readFeed({ who, sessionId, ...options }: ReadRequest): Promise<ReadEnd> {
    if (this.stopping) return 'stopping';
    const feed = await this.feeds.acquire(sessionId);
    const reader = new SessionReader({
      ...options,
      who,
      feed,
      source: this.events,
      access: this.access,
      still: (now) => this.sessions.rightsIn(now, sessionId),
    });
    this.readers.add(reader);
    try {
      return await reader.run();
    } finally {
      this.readers.delete(reader);
      this.feeds.release(sessionId);
    }
  }
}

/** What follows a turn's end belongs to no one who waits for it: a process that waited may exit much later. */
function ofTurn(events: Envelope[], turnId: string): Envelope[] {
  const own = events.filter((event) => event.turn === turnId);
  const end = own.findIndex(({ kind }) => kind === 'turn:end');
  return end === -1 ? own : own.slice(0, end + 1);
}
