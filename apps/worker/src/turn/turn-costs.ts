import { EMPTY_USAGE, type TokenUsage } from '@chirality/contracts';
import { addMoney } from '@chirality/domain';
import type { EgressBinding } from '../egress';
import type { TurnBinding } from '../gateway';
import type { TurnPayments } from '../key/turn-payments';

/** What the gateway carries along with each message of a bound turn. */
export type TurnUsageBinding = TurnBinding & {
  authorName: string;
  sessionId: string;
  teamId: string;
  projectId: string;
  persona: string | null;
  costs: TurnCosts;
  payments: TurnPayments;
  onEgressRefused: EgressBinding['onRefused'];
};

export type Amount = { usage: TokenUsage; costUsd: string };

/** The most often that viewers are told what a turn has cost so far. */
const ANNOUNCE_EVERY_MS = 250;
/** What a message's beginning costs is told a moment later: its first words come before. */
const FIRST_ANNOUNCE_MS = 100;

/**
 * What the turn has used so far, as the gateway saw it: kept in memory beside the rows, so that an event can carry it
 * without asking the database.
 */
export class TurnCosts {
  /** The latest state of each message, by its row's id. */
  private readonly messages = new Map<string, Amount & { complete: boolean }>();
  private timer: NodeJS.Timeout | null = null;
  private lastAnnouncedAt = -Infinity;

  constructor(private readonly announce: (soFar: Amount) => void) {}

  /** How many messages of the model's service passed the gateway. */
  get messageCount(): number {
    return this.messages.size;
  }

  /** Every message came to its end: only then does the program's own figure speak of the same. */
  get allComplete(): boolean {
    return [...this.messages.values()].every(({ complete }) => complete);
  }

  /** A message began or went on; a later state of it takes the place of an earlier one. */
  update(messageId: string, amount: Amount, complete: boolean): void {
    this.messages.set(messageId, { ...amount, complete });
    this.announceSoon();
  }

  soFar(): Amount {
    let total: Amount = { usage: EMPTY_USAGE, costUsd: '0' };
    for (const { usage, costUsd } of this.messages.values()) {
      total = {
        usage: {
          inputTokens: total.usage.inputTokens + usage.inputTokens,
          outputTokens: total.usage.outputTokens + usage.outputTokens,
          cacheReadTokens: total.usage.cacheReadTokens + usage.cacheReadTokens,
          cacheWriteTokens: total.usage.cacheWriteTokens + usage.cacheWriteTokens,
        },
        costUsd: addMoney(total.costUsd, costUsd),
      };
    }
    return total;
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private announceSoon(): void {
    if (this.timer) return;
    const waitMs = Math.max(FIRST_ANNOUNCE_MS, this.lastAnnouncedAt + ANNOUNCE_EVERY_MS - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.lastAnnouncedAt = performance.now();
      this.announce(this.soFar());
    }, waitMs);
  }
}
