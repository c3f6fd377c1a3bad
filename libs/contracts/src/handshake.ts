import { z } from 'zod';
import { harnessSchema } from './worker';

/**
 * Of everything on the outside. The second number grows once in a release that adds something, the first one would
 * with a break; scripts/protocol.spec.mjs compares with the last release.
 */
export const PROTOCOL_VERSION = '1.1';

/** What a client can rely on here. Lists grow; a client ignores what it does not know. */
export const handshakeSchema = z.object({
  protocolVersion: z.string(),
  serverVersion: z.string(),
  eventKinds: z.array(z.string()),
  commands: z.array(z.string()),
  /** Groups of routes, and transports. */
  features: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
  harnesses: z.array(harnessSchema),
});
export type Handshake = z.infer<typeof handshakeSchema>;
