import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { harnessNameSchema } from './session';
import { usedWorkspaceSchema } from './shared-workspace';

export const workerSchema = z.object({
  id: idSchema('worker'),
  status: z.enum(['ready', 'draining', 'sandbox_unavailable', 'gone']),
  slots: z.number().int().nonnegative(),
  running: z.number().int().nonnegative(),
  claudeVersion: z.string().nullable(),
  /** The harnesses that are installed there. */
  harnesses: z.array(harnessNameSchema),
  testedVersion: z.string(),
  sandbox: z.enum(['bubblewrap', 'none', 'unavailable']),
  sandboxDetail: z.string().nullable(),
  startedAt: timestampSchema,
  lastSeenAt: timestampSchema,
});
export type Worker = z.infer<typeof workerSchema>;

/**
 * `available`: a session may name it; else `reason` says why not, in one sentence. `versions` are those of Claude
 * Code that it runs.
 */
export const harnessSchema = z.object({
  name: harnessNameSchema,
  available: z.boolean(),
  reason: z.string().nullable(),
  versions: z.array(z.string()),
});
export type Harness = z.infer<typeof harnessSchema>;

export const queueSchema = z.object({
  queued: z.number().int().nonnegative(),
  running: z.number().int().nonnegative(),
  waiting: z.number().int().nonnegative(),
  oldestQueuedMs: z.number().int().nonnegative().nullable(),
  /** Shared workspaces that are in use, of the projects that the reader has. */
  workspaces: z.array(usedWorkspaceSchema),
});
export type QueueState = z.infer<typeof queueSchema>;

/** What is broken, by part; the web's banners and `/health/ready` read the same. */
export const readinessSchema = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  checks: z.record(
    z.string(),
    z.object({ status: z.enum(['ok', 'degraded', 'unavailable']), detail: z.string().optional() }),
  ),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** Facts that every page shows: is this the demo model, is there a sandbox, do versions fit. */
export const instanceSchema = z.object({
  version: z.string(),
  demo: z.boolean(),
  sandbox: z.enum(['bubblewrap', 'none', 'unavailable']),
  warnings: z.array(z.object({ code: z.string(), text: z.string() })),
});
export type Instance = z.infer<typeof instanceSchema>;
