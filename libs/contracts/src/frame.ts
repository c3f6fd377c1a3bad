import { z } from 'zod';
import type { CommandWarning } from './command-input';
import type { Envelope } from './event';
import type { Handshake } from './handshake';
import type { Problem } from './problem';
import type { IdentityClass } from './scalar';
import type { PresencePerson } from './socket';

/** The subprotocol of `/v1/ws`. A browser, which sets no headers, may offer its token beside it. */
export const WEBSOCKET_PROTOCOL = 'chirality.v1';
export const WEBSOCKET_TOKEN_PROTOCOL = 'chirality.bearer.';

/**
 * Why the server closed a WebSocket; 1009 (a frame was too large) and 1012 (the server restarts) are the standard's.
 */
export const CLOSE_CODES = {
  /** No token, or one that was refused, ended or revoked. */
  signedOut: 4401,
  versionMismatch: 4406,
  /** No handshake came in time. */
  noHandshake: 4408,
  /** The client reads more slowly than events come. Connect again and resume. */
  tooSlow: 4429,
  /** Frame after frame was faulty or beyond the rate. The standard's code for a policy that was broken. */
  misused: 1008,
  restarting: 1012,
} as const;

const frameId = z.union([z.string().max(100), z.number()]);

/** The first frame of a client; with a `token` again later, it replaces one that is about to end. */
export const handshakeFrameSchema = z.object({
  protocolVersion: z.string().max(20).optional(),
  token: z.string().max(8_192).optional(),
  clientId: z
    .string()
    .regex(/^[\w.:-]{1,100}$/)
    .optional(),
});

export const clientFrameSchema = z.looseObject({
  frame: z.string().max(40),
  id: frameId.optional(),
  command: z.string().max(60).optional(),
  body: z.record(z.string(), z.unknown()).default({}),
});
export type ClientFrame = z.infer<typeof clientFrameSchema>;

export type HandshakeBody = Handshake & {
  clientId: string;
  userId: string;
  identityClass: IdentityClass;
  expiresAt: string;
};

type FrameId = { id?: string | number };
/** What is said beside events and answers. A client ignores kinds that it does not know. */
export type NoticeFrame =
  | { frame: 'notice'; kind: 'token:expiring'; body: { expiresAt: string } }
  | { frame: 'notice'; kind: 'presence'; body: { session: string; people: PresencePerson[] } }
  | { frame: 'notice'; kind: 'session:closed'; body: { session: string; problem: Problem } };
export type ServerFrame =
  | ({ frame: 'handshake'; body: HandshakeBody } & FrameId)
  | ({ frame: 'answer'; body: unknown; warnings?: CommandWarning[] } & FrameId)
  | ({ frame: 'error'; body: Problem } & FrameId)
  | { frame: 'event'; body: Envelope }
  | NoticeFrame;
