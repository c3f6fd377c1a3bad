import { z } from 'zod';
import { timestampSchema } from './scalar';

/** Hosts that a project's sandboxes may reach: a name, `*.name` for every name below it, either with `:port`. */
export const projectEgressSchema = z.object({
  hosts: z.array(z.string()),
  /** Whether the model may use its service's own search of the web, which passes no list of hosts. */
  webSearch: z.boolean(),
});
export type ProjectEgress = z.infer<typeof projectEgressSchema>;

export const updateProjectEgressSchema = z.strictObject({
  hosts: z.array(z.string().trim().min(1).max(260)).max(200),
  webSearch: z.boolean().default(false),
});
export type UpdateProjectEgress = z.infer<typeof updateProjectEgressSchema>;

/**
 * What the proxy decided: `allowed`, or why a host was not reached. `not_passed_on`: the model gateway kept back a request
 * that would have the model's service do something else than answer Claude Code; `host` is then the part that was refused.
 */
export const egressDecisionSchema = z.enum([
  'allowed',
  'not_listed',
  'inward_address',
  'unresolved',
  'unreachable',
  'not_passed_on',
]);
export type EgressDecision = z.infer<typeof egressDecisionSchema>;

/** What one person's turns reached, or tried to, over the time that is kept. `host` is `(others)` for what exceeded a turn's bound. */
export const egressLogEntrySchema = z.object({
  host: z.string(),
  port: z.number().int(),
  decision: egressDecisionSchema,
  user: z.object({ userId: z.string(), name: z.string() }),
  count: z.number().int().positive(),
  firstAt: timestampSchema,
  lastAt: timestampSchema,
});
export type EgressLogEntry = z.infer<typeof egressLogEntrySchema>;
