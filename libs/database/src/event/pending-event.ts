import type { Envelope, NewEvent } from '@chirality/contracts';

/** An event that waits for its number, with the text that will be stored. */
export interface PendingEvent {
  event: NewEvent;
  ts: string;
  originator: string;
  payload: string;
  bytes: number;
  /** When it, or the first delta joined into it, arrived: milliseconds of a monotonic clock. */
  arrivedAt: number;
}

export function pendingEvent(event: NewEvent, ts: Date, arrivedAt: number): PendingEvent {
  const payload = JSON.stringify(event.payload);
  return {
    event,
    ts: ts.toISOString(),
    originator: JSON.stringify(event.originator),
    payload,
    bytes: Buffer.byteLength(payload),
    arrivedAt,
  };
}

/** The envelope, its keys in the one order that every view has. */
export function envelopeOf(sessionId: string, id: number, pending: PendingEvent): Envelope {
  const { kind, turn, originator, payload } = pending.event;
  return { id, kind, session: sessionId, turn, originator, ts: pending.ts, payload } as Envelope;
}
