import type {
  Attachment,
  OutputSchema,
  ResolvedOptions,
  ResolvedPersona,
  Timings,
  Turn,
  TurnError,
} from '@chirality/contracts';
import { knownCost, normalizeMoney } from '@chirality/domain';
import type { TurnRow } from '../generated/rows';
import { queueOrderSql } from './queue-order';

/** A turn as the database has it, with its place in the queue. */
export type PlacedTurnRow = Pick<
  TurnRow,
  | 'id'
  | 'session_id'
  | 'team_id'
  | 'kind'
  | 'status'
  | 'attempt'
  | 'fence'
  | 'author_id'
  | 'author_name'
  | 'author_class'
  | 'message'
  | 'attachments'
  | 'output_schema'
  | 'structured'
  | 'options'
  | 'persona'
  | 'text'
  | 'degraded'
  | 'error_code'
  | 'error_detail'
  | 'claude_session_id'
  | 'model'
  | 'claude_version'
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_read_tokens'
  | 'cache_write_tokens'
  | 'cost_usd'
  | 'unpriced_messages'
  | 'estimated'
  | 'reported_cost_usd'
  | 'permission_denials'
  | 'timings'
  | 'worker_id'
  | 'queued_at'
  | 'started_at'
  | 'ended_at'
> & { position: string | null };

/** Columns of `turn t` of a PlacedTurnRow; the place in the queue is looked up only for a queued one. */
export const TURN_COLUMNS = `t.id, t.session_id, t.team_id, t.kind, t.status, t.attempt, t.fence, t.author_id,
  t.author_name, t.author_class,
  t.message, t.attachments, t.output_schema, t.structured, t.options, t.persona, t.text, t.degraded,
  t.error_code, t.error_detail, t.claude_session_id, t.model,
    t.claude_version,
  t.input_tokens, t.output_tokens, t.cache_read_tokens, t.cache_write_tokens, t.cost_usd, t.unpriced_messages,
    t.estimated, t.reported_cost_usd,
  t.permission_denials, t.timings, t.worker_id, t.queued_at, t.started_at, t.ended_at,
  CASE WHEN t.status = 'queued' THEN (SELECT q.position FROM (${queueOrderSql()}) q WHERE q.id = t.id) END AS position`;

export function turnFromRow(row: PlacedTurnRow): Turn {
  return {
    id: row.id,
    sessionId: row.session_id,
    kind: row.kind,
    status: row.status,
    attempt: row.attempt,
    author: { userId: row.author_id, name: row.author_name, identityClass: row.author_class },
    message: JSON.parse(row.message) as string,
    attachments: JSON.parse(row.attachments) as Attachment[],
    options: JSON.parse(row.options) as ResolvedOptions,
    persona: row.persona === null ? null : (JSON.parse(row.persona) as ResolvedPersona),
    outputSchema: jsonOrNull<OutputSchema>(row.output_schema),
    text: JSON.parse(row.text) as string,
    structured: jsonOrNull<Record<string, unknown>>(row.structured),
    degraded: row.degraded,
    error: row.error_code === null ? null : ({ code: row.error_code, detail: row.error_detail ?? '' } as TurnError),
    claude: { sessionId: row.claude_session_id, model: row.model, version: row.claude_version },
    usage: {
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      cacheReadTokens: Number(row.cache_read_tokens),
      cacheWriteTokens: Number(row.cache_write_tokens),
    },
    ...knownCost(normalizeMoney(row.cost_usd), row.unpriced_messages),
    estimated: row.estimated,
    reportedCostUsd: row.reported_cost_usd === null ? null : normalizeMoney(row.reported_cost_usd),
    permissionDenials: JSON.parse(row.permission_denials) as Turn['permissionDenials'],
    position: row.position === null ? null : Number(row.position),
    timings: row.timings === null ? null : (JSON.parse(row.timings) as Timings),
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

function jsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
