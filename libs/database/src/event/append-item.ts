import type { Envelope, NewEvent } from '@chirality/contracts';
import type { Tx } from '../connection/database';

/**
 * What is done in the same transaction before the events get their numbers. `false` drops the whole item; `true`
 * appends the item's events; an array appends those instead, for events that tell what the transaction found.
 * It may run again after a lost connection, so it must act through `tx` alone.
 */
export type Transition = (tx: Tx) => Promise<boolean | NewEvent[]>;

export interface AppendItem {
  sessionId: string;
  /** The fence of the claim that writes; null for an act of a person or of the system, which no claim outdates. */
  fence: bigint | null;
  events: NewEvent[];
  transition?: Transition | undefined;
  /** Raises the session's fence with the last event, so that nothing fenced can follow: a turn's end. */
  raisesFence?: boolean;
}

export type AppendRefusal = 'fenced' | 'transition_refused' | 'unknown_session';

export type AppendResult =
  /** A delta that was joined to its predecessor answers the envelope of both. Envelopes must not be changed. */
  { appended: true; events: Envelope[] } | { appended: false; reason: AppendRefusal };

/** The log was closed before the item could be written. */
export class EventLogClosedError extends Error {
  constructor() {
    super('the event log is closed');
    this.name = 'EventLogClosedError';
  }
}
