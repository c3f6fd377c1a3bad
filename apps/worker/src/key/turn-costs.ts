import { EMPTY_USAGE, type TokenUsage } from '@chirality/contracts';
import { addUsage, knownCost, sumMoney } from '@chirality/domain';
import type { EgressBinding } from '../egress';
import type { TurnBinding } from '../gateway/gateway.types';
import type { TurnPayments } from './turn-payments';

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

/** `costUsd` is null where the model has no price. */
export type Amount = { usage: TokenUsage; costUsd: string | null };

/** As events carry it: `unpricedMessages` only where there are any. */
type CostSoFar = Amount & { unpricedMessages?: number };

/** The latest state of one message. */
export type MessageCost = Amount & { model: string; demo: boolean; complete: boolean };

/** How often at most viewers receive what a turn has cost so far. */
const ANNOUNCE_EVERY_MS = 250;
/** What a message's beginning costs is reported a moment later: its first words come before. */
const FIRST_ANNOUNCE_MS = 100;

/**
 * What the turn has used so far, as the gateway saw it: kept in memory beside the rows, so that an event can carry it
 * without asking the database.
 */
export class TurnCosts {
  /** The latest state of each message, by its row's id. */
  private readonly messages = new Map<string, MessageCost>();
  private timer: NodeJS.Timeout | null = null;
  private lastAnnouncedAt = -Infinity;

  constructor(private readonly announce: (soFar: CostSoFar) => void) {}

  /** How many messages of the model's service passed the gateway. */
  get messageCount(): number {
    return this.messages.size;
  }

  /** Every message came to its end: only then does the program's own figure speak of the same. */
  get allComplete(): boolean {
    return [...this.messages.values()].every(({ complete }) => complete);
  }

  /** Models that have no price: what they cost is unknown. */
  get unpricedModels(): string[] {
    return [
      ...new Set([...this.messages.values()].filter(({ costUsd }) => costUsd === null).map(({ model }) => model)),
    ];
  }

  /** The built-in demo model answered: what the program reports for it is no money. */
  get isDemo(): boolean {
    return [...this.messages.values()].some(({ demo }) => demo);
  }

  /** A message began or continued; a later state of it replaces an earlier one. */
  update(messageId: string, message: MessageCost): void {
    this.messages.set(messageId, message);
    this.announceSoon();
  }

  soFar(): CostSoFar {
    let total = EMPTY_USAGE;
    const priced: string[] = [];
    for (const { usage, costUsd } of this.messages.values()) {
      total = addUsage(total, usage);
      if (costUsd !== null) priced.push(costUsd);
    }
    const { costUsd, unpricedMessages } = knownCost(sumMoney(priced), this.messages.size - priced.length);
    return { usage: total, costUsd, ...(unpricedMessages > 0 && { unpricedMessages }) };
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
