import { Controller, Get, Put, Res } from '@nestjs/common';
import {
  pageSchema,
  newPriceSchema,
  priceSchema,
  usageQuerySchema,
  usageReportSchema,
  usageSeriesQuerySchema,
  usageSeriesSchema,
  type Page,
  type Price,
  type UsageSeries,
} from '@chirality/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { PricesService } from './prices.service';
import { UsageService } from './usage.service';

const setPricesSchema = z.strictObject({ prices: z.array(newPriceSchema).min(1).max(200) });

@Controller('v1')
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly prices: PricesService,
  ) {}

  @Get('usage')
  @Answers(200, usageReportSchema, 'Get usage and its cost; a member sees their own', {
    media: 'text/csv',
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  report(
    @CurrentUser() who: Principal,
    @QueryOf(usageQuerySchema) query: z.infer<typeof usageQuerySchema>,
    @Res() response: Response,
  ): Promise<void> {
    return this.usage.answer(who, query, response);
  }

  @Get('usage/series')
  @Answers(200, usageSeriesSchema, 'Get spending over time, by person, project or model; a member sees their own', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  series(
    @CurrentUser() who: Principal,
    @QueryOf(usageSeriesQuerySchema) query: z.infer<typeof usageSeriesQuerySchema>,
  ): Promise<UsageSeries> {
    return this.usage.series(who, query);
  }

  @Get('prices')
  @Answers(200, pageSchema(priceSchema), 'List prices by date')
  listPrices(): Promise<Page<Price>> {
    return this.prices.list();
  }

  @Put('prices')
  @Answers(200, pageSchema(priceSchema), 'Add prices from a date on; recorded costs never change', {
    problems: ['FORBIDDEN'],
  })
  setPrices(
    @CurrentUser() who: Principal,
    @JsonBody(setPricesSchema) body: z.infer<typeof setPricesSchema>,
  ): Promise<Page<Price>> {
    return this.prices.set(who, body.prices);
  }
}
