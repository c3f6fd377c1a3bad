import { Injectable } from '@nestjs/common';
import { EventRepository } from '@chirality/database';
import type { Response } from 'express';
import { AccessWatch } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import type { Draining } from '../core/shutdown';
import { EventStream } from './event-stream';
import { FeedRegistry } from './feed-registry';
import { OpenPlaces } from './open-places';

const MAX_STREAMS = 2_000;
const MAX_STREAMS_PER_PERSON = 100;

type Reader = { response: Response; isPresent: boolean };

/** The event streams that are open. */
@Injectable()
export class OpenStreams implements Draining {
  private arrived: (who: Principal, sessionId: string) => () => void = () => () => undefined;
  private readonly streams = new Set<EventStream>();
  private readonly places = new OpenPlaces({ total: MAX_STREAMS, perPerson: MAX_STREAMS_PER_PERSON });

  constructor(
    private readonly sessions: SessionAccess,
    private readonly access: AccessWatch,
    private readonly feeds: FeedRegistry,
    private readonly events: EventRepository,
  ) {}

  /** Is called for a person who is present by a stream; what it answers is called when the stream is over. */
  onPresent(arrived: (who: Principal, sessionId: string) => () => void): void {
    this.arrived = arrived;
  }

  /** Settles when the stream is over. */
  async serve(who: Principal, sessionId: string, after: number, reader: Reader): Promise<void> {
    const leave = this.places.take(who);
    try {
      await this.stream(who, sessionId, after, reader);
    } finally {
      leave();
    }
  }

  /** Ends every stream; their readers reconnect and resume after the last id they saw. */
  drain(): void {
    for (const stream of this.streams) stream.close();
  }

  private async stream(
    who: Principal,
    sessionId: string,
    after: number,
    { response, isPresent }: Reader,
  ): Promise<void> {
    const feed = await this.feeds.acquire(sessionId);
    const stream = new EventStream({
      response,
      feed,
      source: this.events,
      after,
      who,
      access: this.access,
      still: (now) => this.sessions.rightsIn(now, sessionId),
    });
    this.streams.add(stream);
    const left = isPresent ? this.arrived(who, sessionId) : null;
    try {
      await stream.run();
    } finally {
      left?.();
      this.streams.delete(stream);
      this.feeds.release(sessionId);
    }
  }
}
