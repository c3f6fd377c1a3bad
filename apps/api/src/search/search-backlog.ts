import type { OnModuleDestroy } from '@nestjs/common';
import type { SearchBacklogRepository } from '@chirality/database';
import { every } from '@chirality/platform';

const ROUND_MS = 5_000;
/** Events in one transaction, and transactions in one round: a server that was upgraded stays quick meanwhile. */
const EVENTS_AT_ONCE = 200;
const STEPS_PER_ROUND = 10;

type Parts = { backlog: Pick<SearchBacklogRepository, 'takeSome'>; onError: (error: unknown) => void };

/** Brings what was said before there was a search into it, little by little, on any number of servers. */
export class SearchBacklog implements OnModuleDestroy {
  private readonly stop: () => void;

  constructor(private readonly parts: Parts) {
    this.stop = every(ROUND_MS, () => this.round(), { onError: parts.onError, background: true });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private async round(): Promise<void> {
    for (let step = 0; step < STEPS_PER_ROUND; step++) if (!(await this.parts.backlog.takeSome(EVENTS_AT_ONCE))) return;
  }
}
