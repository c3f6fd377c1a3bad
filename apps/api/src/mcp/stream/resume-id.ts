import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * Where a broken stream continues: after an event of the log, for the call of a request, or for what is announced of
 * a session. It holds nothing that has to be remembered, so any node continues any stream.
 */
export type ResumePoint =
  { of: 'call'; requestId: RequestId; after: number } | { of: 'session'; sessionId: string; after: number };

export function resumeIdOf(point: ResumePoint): string {
  return point.of === 'call'
    ? `c.${Buffer.from(JSON.stringify(point.requestId)).toString('base64url')}.${point.after}`
    : `s.${point.sessionId}.${point.after}`;
}

/** Of a request's id or a progress token: they are stored, and repeated in each message. */
export const MAX_ID_LENGTH = 200;

/** Null for what is none of ours. */
export function resumePointOf(id: string): ResumePoint | null {
  const [, kind, name = '', after] = /^([cs])\.([\w-]{1,2000})\.(\d{1,15})$/.exec(id) ?? [];
  if (kind === 's') return { of: 'session', sessionId: name, after: Number(after) };
  if (kind !== 'c') return null;
  try {
    const requestId: unknown = JSON.parse(Buffer.from(name, 'base64url').toString());
    return (typeof requestId === 'string' && requestId.length <= MAX_ID_LENGTH) || typeof requestId === 'number'
      ? { of: 'call', requestId, after: Number(after) }
      : null;
  } catch {
    return null;
  }
}
