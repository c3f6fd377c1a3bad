/** A place in a conversation as an address has it: a turn, and in it what an event did. */
export type Moment = { turnId: string; eventId: number | null };

const MOMENT = /^#?(turn_\w+)(?:\.(\d{1,15}))?$/;

/** What follows the `#` of a session's address. */
export function momentHash({ turnId, eventId }: Moment): string {
  return eventId === null ? turnId : `${turnId}.${eventId}`;
}

/** Null for what names no place in a conversation. */
export function readMoment(hash: string): Moment | null {
  const [, turnId, eventId] = MOMENT.exec(hash) ?? [];
  return turnId === undefined ? null : { turnId, eventId: eventId === undefined ? null : Number(eventId) };
}
