import { Injectable } from '@nestjs/common';
import type { Page, Price } from '@chirality/contracts';
import { PriceRepository } from '@chirality/database';
import { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import { wholePage } from '../http/json-page';
import { FoundingTeam } from '../instance/founding-team';
import { problems } from '../problem/problems';

@Injectable()
export class PricesService {
  constructor(
    private readonly prices: PriceRepository,
    private readonly founders: FoundingTeam,
    private readonly audit: AuditTrail,
  ) {}

  async list(): Promise<Page<Price>> {
    return wholePage(await this.prices.list());
  }

  /** Prices hold for every team here, so only those who run the installation set them. */
  async set(who: Principal, prices: Price[]): Promise<Page<Price>> {
    if (!(await this.founders.runBy(who))) throw problems.forbidden('set prices');
    await this.prices.put(prices);
    await this.audit.recordForPerson(who.user.id, {
      action: 'price:set',
      object: 'prices',
      detail: { models: [...new Set(prices.map(({ model }) => model))] },
    });
    return this.list();
  }
}
