import { isDeepStrictEqual } from 'node:util';
import type { NewEvent, NewEventOf } from '@chirality/contracts';
import { pendingEvent, type PendingEvent } from './pending-event';

/** A delta is joined to the one before it only while that one has waited less than this. */
export const JOIN_WINDOW_MS = 25;
export const JOIN_LIMIT_BYTES = 32 * 1024;

type Delta = NewEventOf<'chat:delta'> | NewEventOf<'thinking:delta'>;
const BLOCK_KEYS = new Set(['messageId', 'block', 'text', 'parentToolUseId']);

/** The two deltas as one event, or null when they are not neighbours in one block or would make it too large or too late. */
export function joinDeltas(first: PendingEvent, second: PendingEvent): PendingEvent | null {
  if (!isDelta(first.event) || !isDelta(second.event)) return null;
  if (!sameBlock(first.event, second.event)) return null;
  if (second.arrivedAt - first.arrivedAt > JOIN_WINDOW_MS || first.bytes + second.bytes > JOIN_LIMIT_BYTES) return null;
  const payload = { ...first.event.payload, text: first.event.payload.text + second.event.payload.text };
  return pendingEvent({ ...first.event, payload }, new Date(first.ts), first.arrivedAt);
}

export function isDelta(event: NewEvent): event is Delta {
  return (
    (event.kind === 'chat:delta' || event.kind === 'thinking:delta') &&
    Object.keys(event.payload).every((key) => BLOCK_KEYS.has(key))
  );
}

function sameBlock(a: Delta, b: Delta): boolean {
  return (
    a.kind === b.kind &&
    a.turn === b.turn &&
    a.payload.messageId === b.payload.messageId &&
    a.payload.block === b.payload.block &&
    a.payload.parentToolUseId === b.payload.parentToolUseId &&
    isDeepStrictEqual(a.originator, b.originator)
  );
}
