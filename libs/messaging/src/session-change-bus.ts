import type { Envelope, EventKind } from '@chirality/contracts';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

const CHANNEL = 'session-changes';

/** What changes a session's row in a list; most events do not. */
const LISTED_KINDS: readonly EventKind[] = [
  'turn:queued',
  'turn:start',
  'permission:request',
  'permission:resolve',
  'turn:end',
  'session:update',
  'session:end',
];

/** `mayBeHidden`: who saw the session before may not see it now. */
export type SessionChange = { sessionId: string; mayBeHidden: boolean };

/** Tells every api process which sessions look different in a list now. A hint: lists are also read again from time to time. */
export class SessionChangeBus {
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: ChannelSubscriber,
  ) {}

  /** Call it with what was committed; most of it is of no concern. Never throws and never waits. */
  publishCommitted(sessionId: string, events: readonly Envelope[]): void {
    const listed = events.filter(({ kind }) => LISTED_KINDS.includes(kind));
    if (listed.length === 0) return;
    const mayBeHidden = listed.some(
      (event) => event.kind === 'session:update' && 'visibility' in event.payload.changes,
    );
    this.publish({ sessionId, mayBeHidden });
  }

  publish(change: SessionChange): void {
    if (this.publisher.status !== 'ready') return;
    void this.publisher.publish(CHANNEL, JSON.stringify(change)).catch(() => undefined);
  }

  subscribe(handler: (change: SessionChange) => void): Unsubscribe {
    return this.subscriber.subscribe(CHANNEL, (message) => handler(JSON.parse(message) as SessionChange));
  }
}
