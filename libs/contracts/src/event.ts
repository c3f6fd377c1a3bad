import { z } from 'zod';
import { attachmentSchema } from './attachment';
import { idSchema } from './id';
import { paidBySchema } from './key';
import { outputSchemaSchema } from './output-schema';
import { permissionPolicySchema, pushProposalSchema, questionAnswerSchema } from './permission';
import {
  durationMsSchema,
  identityClassSchema,
  knownCostShape,
  moneySchema,
  timestampSchema,
  tokenUsageSchema,
} from './scalar';
import { queuePauseSchema } from './queue-pause';
import { permissionModeSchema } from './turn-options';
import { toolVerdictSchema } from './tool-call';
import { timingsSchema, turnErrorSchema, turnKindSchema, turnStatusSchema } from './turn';

const block = {
  messageId: z.string(),
  block: z.number().int().nonnegative(),
  text: z.string(),
  parentToolUseId: z.string().optional(),
};
const blockSchema = z.looseObject(block);
const money = moneySchema;
/**
 * What a turn has cost so far. `unpricedMessages` only where messages of models without a price are missing from it.
 */
const cost = {
  costUsd: knownCostShape.costUsd,
  unpricedMessages: knownCostShape.unpricedMessages.optional(),
  usage: tokenUsageSchema,
};

/** One schema per kind; payloads are loose, so that a newer server's fields pass through an older reader. */
export const EVENT_PAYLOADS = {
  'turn:queued': z.looseObject({
    turnKind: turnKindSchema,
    message: z.string(),
    /** Where the message has some. */
    attachments: z.array(attachmentSchema).optional(),
    /** Where one came with the message. */
    outputSchema: outputSchemaSchema.optional(),
    position: z.number().int().positive().nullable(),
    /** The message of the queue that it was. */
    item: idSchema('queueItem').optional(),
  }),
  /** The messages that wait, all of them, in their order. */
  'queue:update': z.looseObject({
    items: z.array(
      z.looseObject({
        id: idSchema('queueItem'),
        author: z.looseObject({ userId: z.string(), name: z.string() }),
        /** Its beginning. */
        message: z.string(),
        at: timestampSchema,
      }),
    ),
    paused: queuePauseSchema.nullable(),
    /** A message that was dropped because its author may no longer send it. */
    dropped: z
      .looseObject({
        id: idSchema('queueItem'),
        author: z.looseObject({ userId: z.string(), name: z.string() }),
        detail: z.string(),
      })
      .optional(),
  }),
  'turn:start': z.looseObject({
    attempt: z.number().int().positive(),
    worker: z.string(),
    process: z.enum(['cold', 'ahead', 'parked']),
    /** Whose key pays, as things are at the start. */
    paidBy: paidBySchema.optional(),
  }),
  'session:init': z.looseObject({
    claudeSessionId: z.string(),
    model: z.string(),
    tools: z.array(z.string()),
    cwd: z.string(),
    permissionMode: z.union([permissionModeSchema, z.string()]),
    claudeCodeVersion: z.string(),
    forkedFrom: z.string().optional(),
  }),
  'chat:delta': blockSchema,
  'chat:complete': blockSchema,
  'thinking:delta': blockSchema,
  'thinking:complete': blockSchema,
  'chat:withdrawn': z.looseObject({
    messageId: z.string(),
    fromBlock: z.number().int().nonnegative(),
    reason: z.string(),
  }),
  'tool:start': z.looseObject({
    toolUseId: z.string(),
    name: z.string(),
    input: z.unknown(),
    mutating: z.boolean(),
    parentToolUseId: z.string().optional(),
  }),
  'tool:progress': z.looseObject({
    toolUseId: z.string(),
    elapsedMs: durationMsSchema.optional(),
    partialInput: z.string().optional(),
    text: z.string().optional(),
  }),
  'tool:result': z.looseObject({
    toolUseId: z.string(),
    content: z.unknown(),
    isError: z.boolean(),
    durationMs: durationMsSchema,
    patch: z.unknown().optional(),
    truncated: z.looseObject({ bytes: z.number().int().nonnegative(), href: z.string() }).optional(),
  }),
  /** A hook of the program that the harness answered, where it is spoken to by hooks. */
  'hook:event': z.looseObject({
    name: z.string(),
    toolUseId: z.string().optional(),
    /** Of a tool call: what it got for an answer. Without it the program was let pass. */
    decision: z.enum(['allow', 'ask', 'deny', 'block']).optional(),
    /** The sub-agent in which it fired. */
    agent: z.string().optional(),
    elapsedMs: durationMsSchema,
  }),
  /** A person's verdict on a call with an unknown outcome; it follows the turn's end, so the envelope names no turn. */
  'tool:outcome': z.looseObject({
    turnId: idSchema('turn'),
    toolUseId: z.string(),
    name: z.string(),
    outcome: toolVerdictSchema,
    note: z.string().optional(),
    by: z.looseObject({ userId: z.string(), name: z.string() }),
  }),
  'permission:request': z.looseObject({
    permissionId: idSchema('permission'),
    kind: z.enum(['tool', 'question', 'plan']),
    toolUseId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    reason: z.string(),
    /** All of `patterns` in one text. */
    pattern: z.string().nullable(),
    /** The rules that `allow_pattern` stores. */
    patterns: z.array(z.string()).optional(),
    agent: z.looseObject({ type: z.string(), task: z.string() }).optional(),
    parentToolUseId: z.string().optional(),
    proposal: pushProposalSchema.optional(),
    expiresAt: timestampSchema.optional(),
  }),
  /** The deadline changed because the last person who could answer left, or one returned. */
  'permission:update': z.looseObject({ permissionId: idSchema('permission'), expiresAt: timestampSchema }),
  'permission:resolve': z.looseObject({
    permissionId: idSchema('permission'),
    outcome: z.enum(['allowed', 'denied', 'expired', 'run_ended']),
    scope: z.enum(['once', 'pattern', 'tool']).optional(),
    by: z.looseObject({ userId: z.string(), name: z.string() }).optional(),
    reason: z.string().optional(),
    policy: permissionPolicySchema.optional(),
    /** To a question, by its text. */
    answers: z.record(z.string(), questionAnswerSchema).optional(),
  }),
  'todo:update': z.looseObject({
    items: z.array(
      z.looseObject({ id: z.string(), text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
    ),
  }),
  'cost:update': z.looseObject(cost),
  'turn:retry': z.looseObject({
    attempt: z.number().int(),
    maxRetries: z.number().int(),
    delayMs: durationMsSchema,
    status: z.number().int().nullable(),
    error: z.string(),
  }),
  'turn:notice': z.looseObject({ level: z.enum(['info', 'warning', 'error']), code: z.string(), text: z.string() }),
  compaction: z.looseObject({
    trigger: z.string(),
    preTokens: z.number().int().nonnegative(),
    postTokens: z.number().int().nonnegative().nullable(),
  }),
  'session:complete': z.looseObject({
    text: z.string(),
    degraded: z.boolean(),
    /** The answer by the turn's schema, where it has one. */
    structured: z.record(z.string(), z.unknown()).optional(),
    ...cost,
  }),
  'session:error': z.looseObject({ code: z.string(), detail: z.string(), retryable: z.boolean() }),
  'process:exit': z.looseObject({
    code: z.number().int().nullable(),
    signal: z.string().nullable(),
    attempt: z.number().int().nonnegative(),
    final: z.boolean(),
  }),
  'turn:end': z.looseObject({
    status: turnStatusSchema,
    error: turnErrorSchema.optional(),
    ...cost,
    /** True where part of an answer that was cut is counted from what came of it. */
    estimated: z.boolean().optional(),
    timings: timingsSchema,
    /** The person who stopped it. */
    by: z.looseObject({ userId: z.string(), name: z.string() }).optional(),
  }),
  'session:update': z.looseObject({ changes: z.record(z.string(), z.unknown()) }),
  'session:end': z.looseObject({ reason: z.enum(['user', 'idle', 'error', 'shutdown']) }),
  'budget:notice': z.looseObject({ budgetId: z.string(), percent: z.number(), spentUsd: money, limitUsd: money }),
  'stream:gap': z.looseObject({ from: z.number().int(), to: z.number().int(), reason: z.string() }),
  custom: z.looseObject({ namespace: z.string(), name: z.string(), data: z.unknown() }),
} as const;

export type EventKind = keyof typeof EVENT_PAYLOADS;
export type EventPayload<K extends EventKind> = z.infer<(typeof EVENT_PAYLOADS)[K]>;

export const originatorSchema = z.union([
  z.object({ userId: idSchema('user'), clientId: z.string(), identityClass: identityClassSchema }),
  z.object({ system: z.literal(true) }),
]);
export type Originator = z.infer<typeof originatorSchema>;
export const SYSTEM: Originator = { system: true };

export type EnvelopeOf<K extends EventKind> = {
  /** 1, 2, 3 … per session, without gap or repeat. */
  id: number;
  kind: K;
  session: string;
  turn: string | null;
  originator: Originator;
  ts: string;
  payload: EventPayload<K>;
};
export type Envelope = { [K in EventKind]: EnvelopeOf<K> }[EventKind];

/** An event before the log gave it its number and time. */
export type NewEventOf<K extends EventKind> = {
  kind: K;
  turn: string | null;
  originator: Originator;
  payload: EventPayload<K>;
};
export type NewEvent = { [K in EventKind]: NewEventOf<K> }[EventKind];

/** The shape of every envelope, with the payload unchecked: readers must ignore kinds they do not know. */
export const envelopeSchema = z.looseObject({
  id: z.number().int().positive(),
  kind: z.string(),
  session: idSchema('session'),
  turn: idSchema('turn').nullable(),
  originator: originatorSchema,
  ts: timestampSchema,
  payload: z.record(z.string(), z.unknown()),
});

/** Most bytes of JSON that the `data` of a `custom` event may have. */
export const CUSTOM_DATA_LIMIT_BYTES = 16 * 1024;

/** What a program adds to a session's log for other programs; no part of the product reads it. */
export const customEventSchema = z.strictObject({
  namespace: z.string().regex(/^[a-z][a-z0-9.-]{0,59}$/, 'must be a lower-case name such as my-tool'),
  name: z.string().regex(/^[a-zA-Z][\w.:-]{0,59}$/, 'must be a name'),
  data: z.unknown(),
});
export type CustomEvent = z.infer<typeof customEventSchema>;

export const eventsQuerySchema = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(500),
});
