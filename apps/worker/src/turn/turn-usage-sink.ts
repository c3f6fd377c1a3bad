import type { Price } from '@chirality/contracts';
import type { UsageRepository } from '@chirality/database';
import { costOfRequest, pricedUsageIn, toTokenUsage } from '@chirality/domain';
import type { UsageRow, UsageSink } from '../gateway/gateway.types';
import type { MessageCost, TurnUsageBinding } from '../key/turn-costs';

/**
 * Stores what a message of the model's service used, priced by the table as it is at that moment, and tells the turn.
 */
export class TurnUsageSink implements UsageSink<TurnUsageBinding> {
  constructor(
    private readonly usage: UsageRepository,
    private readonly prices: () => readonly Price[],
  ) {}

  async begin(row: UsageRow<TurnUsageBinding>): Promise<void> {
    row.binding.costs.update(row.id, this.messageCostOf(row));
    await this.store(row);
  }

  async finish(row: UsageRow<TurnUsageBinding>): Promise<void> {
    row.binding.costs.update(row.id, this.messageCostOf(row));
    await this.store(row);
  }

  private async store(row: UsageRow<TurnUsageBinding>): Promise<void> {
    const { binding } = row;
    const notices = await this.usage.recordUsage({
      id: row.id,
      teamId: binding.teamId,
      projectId: binding.projectId,
      sessionId: binding.sessionId,
      turnId: binding.turnId,
      attempt: binding.attempt,
      userId: binding.authorId,
      persona: binding.persona,
      model: row.model,
      apiMessageId: row.apiMessageId,
      ...pricedUsageIn(row),
      costUsd: this.costOf(row),
      source: 'gateway',
      demo: row.demo,
      complete: row.complete,
      estimated: row.estimated ?? false,
      at: row.at,
    });
    for (const notice of notices) binding.payments.budgetReached(notice);
  }

  private messageCostOf(row: UsageRow<TurnUsageBinding>): MessageCost {
    return {
      usage: toTokenUsage(row),
      // The demo model is never counted as money.
      costUsd: row.demo ? '0' : this.costOf(row),
      model: row.model,
      demo: row.demo,
      complete: row.complete,
    };
  }

  private costOf(row: UsageRow<TurnUsageBinding>): string | null {
    return costOfRequest(this.prices(), { model: row.model, usage: row, at: row.at }).costUsd;
  }
}
