import { Injectable } from '@nestjs/common';
import type { Page, Price } from '@chirality/contracts';
import { PriceRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { problems } from '../core/problem/problems';
import { FoundingTeam } from '../instance/founding-team';

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
