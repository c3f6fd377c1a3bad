import { Controller, Get } from '@nestjs/common';
import { modelSchema, modelsQuerySchema, pageSchema, type Model, type Page } from '@chirality/contracts';
import { PriceRepository } from '@chirality/database';
import { listModels } from '@chirality/domain';
import type { z } from 'zod';
import { chosenTeam } from '../access/chosen-team';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { wholePage } from '../core/http/json-page';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly prices: PriceRepository) {}

  @Get()
  @Answers(200, pageSchema(modelSchema), 'List the models that options may name, with today’s prices', {
    problems: ['NOT_FOUND'],
  })
  async list(
    @CurrentUser() who: Principal,
    @QueryOf(modelsQuerySchema) { teamId }: z.infer<typeof modelsQuerySchema>,
  ): Promise<Page<Model>> {
    if (teamId !== undefined) chosenTeam(who, teamId);
    return wholePage(listModels(await this.prices.list(), new Date()));
  }
}
