import { z } from 'zod';

/** The hooks that are registered. All but the first are only watched. */
export const HOOKS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'SessionStart',
  'SessionEnd',
  'Notification',
] as const;

/** What the thread's `query()` is called with, besides what cannot be sent: callbacks and streams. */
export type QueryStart = {
  pathToClaudeCodeExecutable: string;
  cwd: string;
  /** Without anything secret: the values that the program really has never leave the main thread. */
  env: Record<string, string>;
  options: Record<string, unknown>;
};

const requestId = z.string().max(64);
const fields = z.record(z.string(), z.unknown());

const bytes = z.instanceof(Uint8Array);

/** All that the thread may say. Anything else ends it. */
export const fromThreadSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** It would start this program: it never does. */
  z.object({
    type: z.literal('spawn'),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string().nullable(),
    env: z.record(z.string(), z.string()),
  }),
  z.object({ type: z.literal('stdin'), id: requestId, bytes }),
  z.object({ type: z.literal('stdin_end') }),
  z.object({ type: z.literal('kill') }),
  /** So many bytes of stdout are read, and what came of them was sent before this. */
  z.object({ type: z.literal('stdout_read'), count: z.number().int().positive() }),
  z.object({
    type: z.literal('hook_event'),
    id: requestId,
    name: z.enum(HOOKS),
    input: fields,
    toolUseId: z.string().nullable(),
  }),
  z.object({ type: z.literal('permission_request'), id: requestId, request: fields }),
  z.object({ type: z.literal('withdrawn'), id: requestId }),
  z.object({
    type: z.literal('sdk_message'),
    // Looked at by the mapper, which takes nothing of it for granted; a copy of each would cost more than it.
    message: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  }),
  z.object({
    type: z.literal('control_answer'),
    id: requestId,
    answer: z.union([
      z.object({ ok: z.literal(true), response: fields }),
      z.object({ ok: z.literal(false), error: z.string() }),
    ]),
  }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type FromThread = z.infer<typeof fromThreadSchema>;

/** An answer to a `hook_event` or `permission_request`; with `error` the tool does not run. */
export type Decision = { response: Record<string, unknown> } | { error: string };

export type ToThread =
  | { type: 'start'; start: QueryStart }
  | { type: 'say'; message: Record<string, unknown> }
  | { type: 'decision'; id: string; decision: Decision }
  | { type: 'control'; id: string; request: Record<string, unknown> }
  | { type: 'interrupt' }
  | { type: 'abort' }
  | { type: 'end_input' }
  | { type: 'stdout'; bytes: Uint8Array }
  | { type: 'stdout_end' }
  | { type: 'stdin_written'; id: string }
  | { type: 'exit'; code: number | null; signal: string | null }
  | { type: 'ping' };
