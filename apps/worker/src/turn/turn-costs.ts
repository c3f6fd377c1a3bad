import { EMPTY_USAGE, type TokenUsage } from '@chirality/contracts';
import { addMoney } from '@chirality/domain';
import type { TurnBinding } from '../gateway';

/** What the gateway carries along with each message of a bound turn. */
export type TurnUsageBinding = TurnBinding & { sessionId: string; teamId: string; projectId: string; persona: string | null; costs: TurnCosts };

/** The most often that viewers are told what a turn has cost so far. */
const ANNOUNCE_EVERY_MS = 250;

/**
 * What the turn has used so far, as the gateway saw it: kept in memory beside the rows, so that an event can carry it
 * without asking the database.
 */
export class TurnCosts {
  private usage: TokenUsage = { ...EMPTY_USAGE };
  private costUsd = '0';
  private timer: NodeJS.Timeout | null = null;
  private lastAnnouncedAt = -Infinity;
  private messages = 0;

  constructor(private readonly announce: (soFar: { costUsd: string; usage: TokenUsage }) => void) {}

  /** How many messages of the model's service passed the gateway. */
  get messageCount(): number {
    return this.messages;
  }

  add(row: { usage: TokenUsage; costUsd: string }): void {
    this.messages += 1;
    this.usage = {
      inputTokens: this.usage.inputTokens + row.usage.inputTokens,
      outputTokens: this.usage.outputTokens + row.usage.outputTokens,
      cacheReadTokens: this.usage.cacheReadTokens + row.usage.cacheReadTokens,
      cacheWriteTokens: this.usage.cacheWriteTokens + row.usage.cacheWriteTokens,
    };
    this.costUsd = addMoney(this.costUsd, row.costUsd);
    this.announceSoon();
  }

  soFar(): { costUsd: string; usage: TokenUsage } {
    return { costUsd: this.costUsd, usage: this.usage };
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private announceSoon(): void {
    if (this.timer) return;
    const waitMs = Math.max(0, this.lastAnnouncedAt + ANNOUNCE_EVERY_MS - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.lastAnnouncedAt = performance.now();
      this.announce(this.soFar());
    }, waitMs);
  }
}
