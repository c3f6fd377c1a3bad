import { subtractMoney } from '@chirality/domain';
import { addSpending, holdWindowsSql, lockBudgets, type BudgetNotice } from '../budget/budget-window';
import type { Database } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { UsageRecordRow } from '../generated/rows';

/** What one message of the model's service used, or, where none passed the gateway, one whole turn. */
export interface UsageEntry {
  id: string;
  teamId: string;
  projectId: string;
  sessionId: string;
  turnId: string;
  attempt: number;
  userId: string;
  persona: string | null;
  model: string;
  apiMessageId: string | null;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWrite5mTokens: number;
  cacheWrite1hTokens: number;
  webSearches: number;
  /** Decimal US dollars, at most ten digits after the point; null where the model has no price, so that it is unknown. */
  costUsd: string | null;
  source: UsageRecordRow['source'];
  demo: boolean;
  /** False while the message streams, and for one that was cut. */
  complete: boolean;
  /** What was written is counted from what came, because the service did not say. */
  estimated?: boolean;
  at: Date;
}

/**
 * A later state of a message replaces an earlier one. The first write may still come through after the last one, when
 * its connection was given up: output only grows, so the larger one is the later. Its turn and model, by which turns are
 * counted, never change.
 */
const PUT_SQL = `
INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, persona, model, api_message_id, input_tokens, output_tokens,
  cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, web_searches, cost_usd, source, demo, complete, at, estimated, first_of_turn, first_of_model)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
  NOT EXISTS (SELECT 1 FROM usage_record o WHERE o.turn_id = $5 AND o.demo = $19), NOT EXISTS (SELECT 1 FROM usage_record o WHERE o.turn_id = $5 AND o.demo = $19 AND o.model = $9))
ON CONFLICT (id) DO UPDATE SET api_message_id = EXCLUDED.api_message_id, input_tokens = EXCLUDED.input_tokens,
  output_tokens = EXCLUDED.output_tokens, cache_read_tokens = EXCLUDED.cache_read_tokens, cache_write_5m_tokens = EXCLUDED.cache_write_5m_tokens,
  cache_write_1h_tokens = EXCLUDED.cache_write_1h_tokens, web_searches = EXCLUDED.web_searches, cost_usd = EXCLUDED.cost_usd, complete = EXCLUDED.complete, estimated = EXCLUDED.estimated
WHERE EXCLUDED.complete OR (NOT usage_record.complete AND EXCLUDED.output_tokens >= usage_record.output_tokens)
RETURNING cost_usd`;

/** What the demo model would have cost is no money: it is in no turn's sum. */
const SUM_SQL = `
UPDATE turn t SET input_tokens = s.input, output_tokens = s.output, cache_read_tokens = s.cache_read, cache_write_tokens = s.cache_write, cost_usd = s.cost,
  unpriced_messages = s.unpriced, estimated = s.estimated
FROM (
  SELECT coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output, coalesce(sum(cache_read_tokens), 0) AS cache_read,
    coalesce(sum(cache_write_5m_tokens + cache_write_1h_tokens), 0) AS cache_write, coalesce(sum(cost_usd) FILTER (WHERE NOT demo), 0) AS cost,
    count(*) FILTER (WHERE cost_usd IS NULL AND NOT demo) AS unpriced, coalesce(bool_or(estimated), false) AS estimated
  FROM usage_record WHERE turn_id = $1
) s WHERE t.id = $1`;

export class UsageRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Stores the entry, or a later state of it, and brings the turn's sums in step in the same commit, so that a turn
   * always shows exactly the sum of its rows, also for a message that ends after its turn; and so do the windows of
   * budgets, of which it answers the notices to send now. Safe to repeat.
   */
  async recordUsage(entry: UsageEntry): Promise<BudgetNotice[]> {
    return inTransaction(this.database.pool, async (tx) => {
      // Writers of usage of this turn are serialised, so that each sum sees all rows before it.
      const lock = tx.query({
        name: 'lock_turn_for_usage',
        text: 'SELECT 1 FROM turn WHERE id = $1 FOR NO KEY UPDATE',
        values: [entry.turnId],
      });
      const hold = tx.query({ name: 'hold_budget_windows', text: holdWindowsSql, values: [entry.teamId] });
      const prior = tx.query<Pick<UsageRecordRow, 'cost_usd'>>({
        name: 'prior_usage',
        text: 'SELECT cost_usd FROM usage_record WHERE id = $1',
        values: [entry.id],
      });
      const put = tx.query<Pick<UsageRecordRow, 'cost_usd'>>({
        name: 'put_usage',
        text: PUT_SQL,
        values: valuesOf(entry),
      });
      const sum = tx.query({ name: 'sum_usage', text: SUM_SQL, values: [entry.turnId] });
      const windows = lockBudgets(tx, entry, entry.at);
      await sentTogether([lock, hold, prior, put, sum, windows]);
      const stored = (await put).rows[0];
      const moreUsd =
        stored === undefined || entry.demo
          ? '0'
          : subtractMoney(stored.cost_usd ?? '0', (await prior).rows[0]?.cost_usd ?? '0');
      return moreUsd === '0' ? [] : addSpending(tx, await windows, moreUsd);
    });
  }
}

function valuesOf(entry: UsageEntry): unknown[] {
  return [
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
  ];
}
