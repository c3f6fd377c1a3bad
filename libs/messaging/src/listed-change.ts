import type { Envelope, EventKind, SessionChange } from '@chirality/contracts';

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

/** What committed events of a session change in lists of sessions; null for nothing. */
export function listedChange(sessionId: string, events: readonly Envelope[]): SessionChange | null {
  const listed = events.filter(({ kind }) => LISTED_KINDS.includes(kind));
  if (listed.length === 0) return null;
  const mayBeHidden = listed.some((event) => event.kind === 'session:update' && 'visibility' in event.payload.changes);
  return { sessionId, mayBeHidden };
}
