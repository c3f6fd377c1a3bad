import { z } from 'zod';
import { timestampSchema } from './scalar';
import { sessionModeSchema, sessionSchema } from './session';
import { optionsSchema } from './turn-options';
import { personaKeySchema } from './persona';

/** What clients of the earlier harness send, for the routes below `/api/harness`. Unknown members are ignored. */
const harnessOptionsSchema = optionsSchema
  .pick({
    model: true,
    permissionMode: true,
    tools: true,
    disallowedTools: true,
    autoApproveTools: true,
    maxTurns: true,
  })
  .extend({ systemPromptAppend: optionsSchema.shape.appendPrompt })
  .strip();
export type HarnessOptions = z.infer<typeof harnessOptionsSchema>;

/** One of `projectId` and `projectRoot`, the directory that a project was made from. */
export const createHarnessSessionSchema = z.object({
  projectId: z.string().optional(),
  projectRoot: z.string().min(1).max(4_096).optional(),
  persona: personaKeySchema.nullish(),
  mode: sessionModeSchema.default('workbench'),
});
export type CreateHarnessSession = z.infer<typeof createHarnessSessionSchema>;

export const listHarnessSessionsQuerySchema = z.object({ projectId: z.string().optional() });

/** `projectRoot`: null for a project that is not made from a directory of the server. */
export const harnessSessionSchema = sessionSchema.extend({ projectRoot: z.string().nullable() });
export type HarnessSession = z.infer<typeof harnessSessionSchema>;
export const harnessSessionAnswerSchema = z.object({ session: harnessSessionSchema });

export const harnessSessionListSchema = z.array(
  harnessSessionSchema.pick({
    id: true,
    createdAt: true,
    updatedAt: true,
    persona: true,
    mode: true,
    projectRoot: true,
  }),
);
export type HarnessSessionList = z.infer<typeof harnessSessionListSchema>;

export const bootHarnessSessionSchema = z.object({ sessionId: z.string(), opts: harnessOptionsSchema.default({}) });
export type BootHarnessSession = z.infer<typeof bootHarnessSessionSchema>;
export const bootedHarnessSessionSchema = z.object({
  session: harnessSessionSchema,
  boot: z.object({
    claudeSessionId: z.string().nullable(),
    bootFingerprint: z.string().nullable(),
    bootedAt: timestampSchema.nullable(),
  }),
});
export type BootedHarnessSession = z.infer<typeof bootedHarnessSessionSchema>;

export const harnessTurnSchema = z.object({
  sessionId: z.string(),
  message: z.string(),
  opts: harnessOptionsSchema.default({}),
});
export type HarnessTurn = z.infer<typeof harnessTurnSchema>;

export const interruptHarnessSchema = z.object({ sessionId: z.string() });
export const interruptedHarnessSchema = z.object({
  /** False where nothing ran. */
  interrupted: z.boolean(),
});

/** Token counts with the names of the Messages API. */
type HarnessUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
};

/** The eight events of a turn's stream; `process:exit` is always the last. */
export type HarnessEvent = { sessionId: string } & (
  | { type: 'session:init'; claudeSessionId: string; model: string; tools: string[] }
  | { type: 'chat:delta'; text: string }
  | { type: 'chat:complete'; text: string }
  | { type: 'tool:start'; toolUseId: string; name: string; input: unknown }
  | { type: 'tool:result'; toolUseId: string; content: unknown; isError: boolean }
  /** `costUsd` is null where no model of the turn has a price. */
  | { type: 'session:complete'; costUsd: number | null; usage: HarnessUsage }
  /** `error` is a sentence, `code` one that is stable. */
  | { type: 'session:error'; error: string; code: string }
  | { type: 'process:exit'; code: number | null; signal: string | null }
);
