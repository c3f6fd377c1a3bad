import { z } from 'zod';
import type { Envelope } from './event';
import { permissionDecisionSchema, type Permission } from './permission';
import type { Problem } from './problem';
import type { Session } from './session';

/** Most events in one `events` message. */
export const EVENTS_PAGE = 500;

export type EventsMessage = { session: string; events: Envelope[]; through: number };
/**
 * Sessions that look different in a list now, as a list has them; `hidden`: ids that this person saw and may not see
 * any longer; `pullRequests`: ids of those whose pull request changed at its host.
 */
export type SessionsMessage = { sessions: Session[]; hidden: string[]; pullRequests?: string[] };
export type PresencePerson = { userId: string; name: string; typing: boolean };
export type AttachAck = { lastEventId: number } | Problem;

/** The same answer as by REST, and the same rules. */
export const permissionAnswerSchema = permissionDecisionSchema.extend({
  session: z.string().max(100),
  permissionId: z.string().max(100),
});
export type PermissionAnswerMessage = z.infer<typeof permissionAnswerSchema>;

/** Socket.IO, WebSocket transport only, default path, `auth: { token, clientId }`. */
export interface ClientToServerEvents {
  'session:attach': (request: { session: string; after: number }, ack: (answer: AttachAck) => void) => void;
  'session:detach': (request: { session: string }) => void;
  'session:typing': (request: { session: string; typing?: boolean }) => void;
  'permission:answer': (
    request: PermissionAnswerMessage,
    ack: (answer: { permission: Permission } | Problem) => void,
  ) => void;
  'auth:refresh': (request: { token: string }, ack?: (answer: { expiresAt: string } | Problem) => void) => void;
}

export interface ServerToClientEvents {
  events: (message: EventsMessage) => void;
  presence: (message: { session: string; people: PresencePerson[] }) => void;
  sessions: (message: SessionsMessage) => void;
  resync: (message: { session: string; after: number }) => void;
  'token:expiring': (message: { expiresAt: string }) => void;
  'session:closed': (message: { session: string; problem: Problem }) => void;
}
