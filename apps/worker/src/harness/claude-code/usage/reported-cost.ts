import { EMPTY_USAGE, MAX_TOKEN_COUNT, type TokenUsage } from '@chirality/contracts';
import { addUsage, MONEY_SCALE, subtractUsage, unitsToMoney } from '@chirality/domain';
import { asCount, asNumber, asObject, asTokenCount, type JsonObject } from '../records/json';
import type { ModelUsage, UsageDoubt } from '../../harness-output';

/**
 * A reported amount as 10⁻¹⁰ dollars. The program counts in binary floats; what lies beyond ten digits is their noise.
 */
function usdUnits(value: unknown): bigint | null {
  const amount = asNumber(value);
  if (amount === null || Math.abs(amount) >= 1e9) return null;
  return BigInt(amount.toFixed(MONEY_SCALE).replace('.', ''));
}

type ModelTotal = { usage: TokenUsage; units: bigint };

/**
 * What the program reports that a turn cost. `model_usage_since_last_result` is right for every turn of a process and
 * includes sub-agents. A program that does not send it reports totals that grow over the process, so the difference to
 * the last one counts, never less than nothing.
 */
export class ReportedCost {
  private models = new Map<string, ModelTotal>();
  private units: bigint | null = null;
  private plainUsage: TokenUsage | null = null;
  private tooLarge = false;
  private lastTotal = 0n;
  private lastModels = new Map<string, ModelTotal>();

  beginTurn(): void {
    this.models = new Map();
    this.units = null;
    this.plainUsage = null;
    this.tooLarge = false;
  }

  /** The program began a new conversation and counts from zero again. */
  restartTotals(): void {
    this.lastTotal = 0n;
    this.lastModels = new Map();
  }

  addResult(result: JsonObject): void {
    const delta = asObject(result['model_usage_since_last_result']);
    const total = usdUnits(result['total_cost_usd']);
    const totals = readModels(asObject(result['modelUsage']));
    if (delta) this.add(readModels(delta), null);
    else if (total !== null) this.add(difference(totals, this.lastModels), atLeastZero(total - this.lastTotal));
    if (total !== null) this.lastTotal = total;
    this.lastModels = totals;
    const usage = asObject(result['usage']);
    this.tooLarge ||= [usage, ...Object.values(delta ?? asObject(result['modelUsage']) ?? {}).map(asObject)].some(
      hasCountTooLarge,
    );
    if (usage) this.plainUsage = addUsage(this.plainUsage ?? EMPTY_USAGE, readUsage(usage));
  }

  get costUsd(): string | null {
    return this.units === null ? null : unitsToMoney(this.units);
  }

  /** Null when no result said anything. */
  get usage(): TokenUsage | null {
    if (this.models.size === 0) return this.plainUsage;
    return addUsage(this.ofModels(), this.missing);
  }

  /** The sum of both kinds of cache tokens is never less than `usage` says: what is missing goes to the first model. */
  get byModel(): ModelUsage[] {
    return [...this.models].map(([model, { usage, units }], index) => ({
      model,
      usage: index === 0 ? addUsage(usage, this.missing) : usage,
      costUsd: unitsToMoney(units),
    }));
  }

  /**
   * Why the counts are not to be relied on: one was too large to be true, or the results say less by model than in all.
   */
  get doubt(): UsageDoubt | null {
    if (this.tooLarge) return 'too-large';
    return this.models.size > 0 && (this.missing.cacheReadTokens > 0 || this.missing.cacheWriteTokens > 0)
      ? 'less-by-model'
      : null;
  }

  /** Cache tokens that only the total has. The parts by model hold sub-agents too, so they may be more. */
  private get missing(): TokenUsage {
    const [total, models] = [this.plainUsage ?? EMPTY_USAGE, this.ofModels()];
    const { cacheReadTokens, cacheWriteTokens } = subtractUsage(total, models);
    return { ...EMPTY_USAGE, cacheReadTokens, cacheWriteTokens };
  }

  private ofModels(): TokenUsage {
    return [...this.models.values()].map(({ usage }) => usage).reduce(addUsage, EMPTY_USAGE);
  }

  private add(models: Map<string, ModelTotal>, units: bigint | null): void {
    let sum = 0n;
    for (const [model, part] of models) {
      sum += part.units;
      const known = this.models.get(model);
      this.models.set(
        model,
        known ? { usage: addUsage(known.usage, part.usage), units: known.units + part.units } : part,
      );
    }
    this.units = (this.units ?? 0n) + (units ?? sum);
  }
}

const COUNTS_BY_MODEL = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'] as const;
const COUNTS_IN_ALL = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

function hasCountTooLarge(counts: JsonObject | null): boolean {
  return [...COUNTS_BY_MODEL, ...COUNTS_IN_ALL].some((name) => asCount(counts?.[name]) > MAX_TOKEN_COUNT);
}

/** Token counts as the Messages API names them. */
export function readUsage(usage: JsonObject): TokenUsage {
  return {
    inputTokens: asTokenCount(usage['input_tokens']),
    outputTokens: asTokenCount(usage['output_tokens']),
    cacheReadTokens: asTokenCount(usage['cache_read_input_tokens']),
    cacheWriteTokens: asTokenCount(usage['cache_creation_input_tokens']),
  };
}

function readModels(models: JsonObject | null): Map<string, ModelTotal> {
  const read = new Map<string, ModelTotal>();
  for (const [model, value] of Object.entries(models ?? {})) {
    const entry = asObject(value);
    if (!entry) continue;
    const usage = {
      inputTokens: asTokenCount(entry['inputTokens']),
      outputTokens: asTokenCount(entry['outputTokens']),
      cacheReadTokens: asTokenCount(entry['cacheReadInputTokens']),
      cacheWriteTokens: asTokenCount(entry['cacheCreationInputTokens']),
    };
    read.set(model, { usage, units: atLeastZero(usdUnits(entry['costUSD']) ?? 0n) });
  }
  return read;
}

function difference(now: Map<string, ModelTotal>, before: Map<string, ModelTotal>): Map<string, ModelTotal> {
  const result = new Map<string, ModelTotal>();
  for (const [model, total] of now) {
    const known = before.get(model);
    result.set(
      model,
      known ? { usage: subtractUsage(total.usage, known.usage), units: atLeastZero(total.units - known.units) } : total,
    );
  }
  return result;
}

function atLeastZero(units: bigint): bigint {
  return units < 0n ? 0n : units;
}
