import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createServiceAccountSchema,
  listServiceAccountsQuerySchema,
  pageSchema,
  serviceAccountSchema,
  updateServiceAccountSchema,
  type CreateServiceAccount,
  type Page,
  type ServiceAccount,
  type UpdateServiceAccount,
} from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { ServiceAccountsService } from './service-accounts.service';

@Controller('v1/service-accounts')
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccountsService) {}

  @Get()
  @Answers(
    200,
    pageSchema(serviceAccountSchema),
    'List service accounts of teams that I manage, and those I answer for',
    {
      problems: ['NOT_FOUND'],
    },
  )
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listServiceAccountsQuerySchema) { teamId }: z.infer<typeof listServiceAccountsQuerySchema>,
  ): Promise<Page<ServiceAccount>> {
    return this.accounts.list(who, teamId);
  }

  @Post()
  @Answers(201, serviceAccountSchema, 'Create a service account of a team, which acts by tokens alone', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(
    @CurrentUser() who: Principal,
    @JsonBody(createServiceAccountSchema) body: CreateServiceAccount,
  ): Promise<ServiceAccount> {
    return this.accounts.create(who, body);
  }

  @Get(':serviceAccountId')
  @Answers(200, serviceAccountSchema, 'Get a service account', { problems: ['NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('serviceAccountId') id: string): Promise<ServiceAccount> {
    return this.accounts.get(who, id);
  }

  @Patch(':serviceAccountId')
  @Answers(200, serviceAccountSchema, 'Rename a service account, say who answers for it, or set its key', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('serviceAccountId') id: string,
    @JsonBody(updateServiceAccountSchema) body: UpdateServiceAccount,
  ): Promise<ServiceAccount> {
    return this.accounts.update(who, id, body);
  }

  @Delete(':serviceAccountId')
  @Answers(204, null, 'Delete a service account: its tokens end, and its sessions go to who answers for it', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  remove(@CurrentUser() who: Principal, @Param('serviceAccountId') id: string): Promise<void> {
    return this.accounts.remove(who, id);
  }
}
