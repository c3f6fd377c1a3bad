import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  createModelKeySchema,
  modelKeyListSchema,
  modelKeyQuerySchema,
  modelKeySchema,
  type ModelKey,
  type ModelKeyList,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { KeysService } from './keys.service';

@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Answers(
    200,
    modelKeyListSchema,
    'List my model API keys and my teams’, without their values, and which one my turns are billed to',
    { problems: ['NOT_FOUND', 'FORBIDDEN'] },
  )
  list(
    @CurrentUser() who: Principal,
    @QueryOf(modelKeyQuerySchema) query: z.infer<typeof modelKeyQuerySchema>,
  ): Promise<ModelKeyList> {
    return this.keys.list(who, query.teamId);
  }

  @Post()
  @Answers(
    201,
    modelKeySchema,
    'Set my key, or the team’s, in place of an earlier one; running turns use it from their next request on',
    { problems: ['NOT_FOUND', 'FORBIDDEN'] },
  )
  set(
    @CurrentUser() who: Principal,
    @JsonBody(createModelKeySchema) body: z.infer<typeof createModelKeySchema>,
  ): Promise<ModelKey> {
    return this.keys.set(who, body);
  }

  @Delete(':keyId')
  @Answers(204, null, 'Delete a key', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  remove(@CurrentUser() who: Principal, @Param('keyId') keyId: string): Promise<void> {
    return this.keys.remove(who, keyId);
  }
}
