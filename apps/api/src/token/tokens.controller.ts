import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  apiTokenSchema,
  createdTokenSchema,
  createTokenSchema,
  listTokensQuerySchema,
  pageSchema,
  type ApiToken,
  type CreatedToken,
  type Page,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { TokensService } from './tokens.service';

@Controller('v1/tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @Answers(200, pageSchema(apiTokenSchema), 'List my tokens, and those of teams that I manage; never their values', {
    problems: ['NOT_FOUND'],
  })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listTokensQuerySchema) { teamId }: z.infer<typeof listTokensQuerySchema>,
  ): Promise<Page<ApiToken>> {
    return this.tokens.list(who, teamId);
  }

  @Post()
  @Answers(201, createdTokenSchema, 'Create a token for a program; its value is in this answer only', {
    problems: ['NOT_FOUND', 'PROJECT_NOT_FOUND', 'SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(
    @CurrentUser() who: Principal,
    @JsonBody(createTokenSchema) body: z.infer<typeof createTokenSchema>,
  ): Promise<CreatedToken> {
    return this.tokens.create(who, body);
  }

  @Delete(':tokenId')
  @Answers(204, null, 'Revoke a token, and all that it made, at once and everywhere', {
    problems: ['NOT_FOUND'],
  })
  revoke(@CurrentUser() who: Principal, @Param('tokenId') tokenId: string): Promise<void> {
    return this.tokens.revoke(who, tokenId);
  }
}
