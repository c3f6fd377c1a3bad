import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { UsageRecordRow } from '../generated/rows';
import type { UsageEntry } from './usage.repository';

type CostRow = Pick<UsageRecordRow, 'cost_usd'>;

/**
 * A later state of a message replaces an earlier one. The first write may still come through after the last one, when
 * its connection was given up: output only grows, so the larger one is the later. Its turn and model, by which turns
 * are counted, never change.
 */
const PUT_SQL = `
INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, persona, model,
  api_message_id, input_tokens, output_tokens,
  cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, web_searches, cost_usd, source, demo, complete, at,
    estimated, first_of_turn, first_of_model)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
  NOT EXISTS (SELECT 1 FROM usage_record o WHERE o.turn_id = $5 AND o.demo = $19), NOT EXISTS (SELECT 1
    FROM usage_record o WHERE o.turn_id = $5 AND o.demo = $19 AND o.model = $9))
ON CONFLICT (id) DO UPDATE SET api_message_id = EXCLUDED.api_message_id, input_tokens = EXCLUDED.input_tokens,
  output_tokens = EXCLUDED.output_tokens, cache_read_tokens = EXCLUDED.cache_read_tokens,
    cache_write_5m_tokens = EXCLUDED.cache_write_5m_tokens,
  cache_write_1h_tokens = EXCLUDED.cache_write_1h_tokens, web_searches = EXCLUDED.web_searches,
    cost_usd = EXCLUDED.cost_usd, complete = EXCLUDED.complete, estimated = EXCLUDED.estimated
WHERE EXCLUDED.complete OR (NOT usage_record.complete AND EXCLUDED.output_tokens >= usage_record.output_tokens)
RETURNING cost_usd`;

/** What the demo model would have cost is no money: it is in no turn's sum. */
const SUM_SQL = `
UPDATE turn t SET input_tokens = s.input, output_tokens = s.output, cache_read_tokens = s.cache_read,
  cache_write_tokens = s.cache_write, cost_usd = s.cost,
  unpriced_messages = s.unpriced, estimated = s.estimated
FROM (
  SELECT coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output,
    coalesce(sum(cache_read_tokens), 0) AS cache_read,
    coalesce(sum(cache_write_5m_tokens + cache_write_1h_tokens), 0) AS cache_write,
      coalesce(sum(cost_usd) FILTER (WHERE NOT demo), 0) AS cost,
    count(*) FILTER (WHERE cost_usd IS NULL AND NOT demo) AS unpriced, coalesce(bool_or(estimated), false) AS estimated
  FROM usage_record WHERE turn_id = $1
) s WHERE t.id = $1`;

/** Until the transaction ends, no one else writes usage of this turn. */
export async function lockTurn(tx: Tx, turnId: string): Promise<void> {
  await tx.query({
    name: 'lock_turn_for_usage',
    text: 'SELECT 1 FROM turn WHERE id = $1 FOR NO KEY UPDATE',
    values: [turnId],
  });
}

/** What the row costs so far; undefined where there is none. */
export async function selectPrior(tx: Tx, id: string): Promise<CostRow | undefined> {
  const { rows } = await tx.query<CostRow>({
    name: 'prior_usage',
    text: 'SELECT cost_usd FROM usage_record WHERE id = $1',
    values: [id],
  });
  return rows[0];
}

/** Undefined where the row was later than the entry and stays. */
export async function putUsage(tx: Tx, entry: UsageEntry): Promise<CostRow | undefined> {
  const { rows } = await tx.query<CostRow>({
    name: 'put_usage',
    text: PUT_SQL,
    values: [
      entry.id,
      entry.teamId,
      entry.projectId,
      entry.sessionId,
      entry.turnId,
      entry.attempt,
      entry.userId,
      entry.persona,
      storableText(entry.model),
      entry.apiMessageId === null ? null : storableText(entry.apiMessageId),
      entry.inputTokens,
      entry.outputTokens,
      entry.cacheReadTokens,
      entry.cacheWrite5mTokens,
      entry.cacheWrite1hTokens,
      entry.webSearches,
      entry.costUsd,
      entry.source,
      entry.demo,
      entry.complete,
      entry.at,
      entry.estimated ?? false,
    ],
  });
  return rows[0];
}

/** Brings the turn's sums in step with its rows. */
export async function sumUsage(tx: Tx, turnId: string): Promise<void> {
  await tx.query({ name: 'sum_usage', text: SUM_SQL, values: [turnId] });
}
