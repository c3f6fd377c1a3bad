import { z } from 'zod';
import { resolvedPersonaSchema } from './persona';
import { diffSchema, fileContentSchema, fileEntrySchema } from './project';
import { promptCutSchema, promptSectionSchema } from './prompt';
import { sessionModeSchema } from './session';
import { resolvedOptionsSchema, type ResolvedOptions } from './turn-options';

/** A turn job is only a wake-up: the claim in Postgres chooses the row. */
export const turnWakeJobSchema = z.object({ turnId: z.string() });
export type TurnWakeJob = z.infer<typeof turnWakeJobSchema>;

/** What a worker does to a workspace on behalf of the api. */
export const workspaceJobSchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('list-files'), sessionId: z.string(), path: z.string() }),
  z.object({ act: z.literal('read-file'), sessionId: z.string(), path: z.string() }),
  z.object({ act: z.literal('diff'), sessionId: z.string(), base: z.string().optional() }),
  z.object({ act: z.literal('commit'), sessionId: z.string(), message: z.string(), author: z.object({ name: z.string(), email: z.string() }) }),
  z.object({ act: z.literal('read-personas'), projectId: z.string() }),
  z.object({ act: z.literal('assemble-prompt'), sessionId: z.string(), mode: sessionModeSchema, persona: resolvedPersonaSchema.nullable(), addition: z.string().nullable() }),
]);
export type WorkspaceJob = z.infer<typeof workspaceJobSchema>;

export const workspaceReplySchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('list-files'), entries: z.array(fileEntrySchema), truncated: z.boolean() }),
  z.object({ act: z.literal('read-file'), file: fileContentSchema }),
  z.object({ act: z.literal('diff'), diff: diffSchema }),
  z.object({ act: z.literal('commit'), commit: z.string() }),
  /** What was read is in the database. */
  z.object({ act: z.literal('read-personas'), commit: z.string() }),
  z.object({ act: z.literal('assemble-prompt'), sections: z.array(promptSectionSchema), cuts: z.array(promptCutSchema) }),
  z.object({ act: z.literal('refused'), code: z.enum(['NOT_FOUND', 'PERSONA_NOT_FOUND', 'VALIDATION_FAILED', 'WORKSPACE_UNAVAILABLE', 'TURN_IN_PROGRESS', 'WORKING_ROOT_INACCESSIBLE', 'PROJECT_NOT_READY', 'SANDBOX_UNAVAILABLE']), detail: z.string() }),
]);
export type WorkspaceReply = z.infer<typeof workspaceReplySchema>;

/** A hint that a row of this session wants its worker's attention: an interrupt, an answer, or other rules. */
export const turnSignalSchema = z.object({ sessionId: z.string(), turnId: z.string(), reason: z.enum(['interrupt', 'permission', 'policy']) });
export type TurnSignal = z.infer<typeof turnSignalSchema>;

/** A process is wanted ahead of the session's next turn, for that person, with the options that such a turn would have. */
export const aheadAskSchema = z.object({
  sessionId: z.string(),
  userId: z.string(),
  options: resolvedOptionsSchema.transform((options) => options as ResolvedOptions),
  persona: resolvedPersonaSchema.nullable(),
});
export type AheadAsk = z.infer<typeof aheadAskSchema>;
