import { Inject, Injectable } from '@nestjs/common';
import type { PaidBy } from '@chirality/contracts';
import { ModelKeyRepository } from '@chirality/database';
import { CONFIG, type Config } from '@chirality/platform';

/**
 * Who would pay for a request as of now, by the order that workers keep to: the person, the team, the installation,
 * else the demo model.
 */
@Injectable()
export class BillingAccount {
  /** What pays where neither the person nor the team has a key. */
  readonly withoutKey: Extract<PaidBy, 'service' | 'demo'>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly keys: ModelKeyRepository,
  ) {
    this.withoutKey = config.anthropicApiKey === null && config.anthropicBaseUrl === null ? 'demo' : 'service';
  }

  /** Whether the demo model would answer, which costs nothing. Each request of a turn decides it again. */
  async isDemo(teamId: string, userId: string): Promise<boolean> {
    return this.withoutKey === 'demo' && (await this.keys.findPaying(teamId, userId)) === null;
  }
}
