import { Controller, Delete, Get, Param } from '@nestjs/common';
import { gitAccountQuerySchema, gitHostKeyListSchema, type GitHostKeyList } from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { GitHostKeysService } from './git-host-keys.service';

@Controller('v1/git-host-keys')
export class GitHostKeysController {
  constructor(private readonly keys: GitHostKeysService) {}

  @Get()
  @Answers(200, gitHostKeyListSchema, 'List the keys by which SSH hosts proved themselves to my teams at first', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(gitAccountQuerySchema) query: z.infer<typeof gitAccountQuerySchema>,
  ): Promise<GitHostKeyList> {
    return this.keys.list(who, query.teamId);
  }

  @Delete(':hostKeyId')
  @Answers(204, null, 'Forget a host’s key: the next use takes the one that the host shows then', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  remove(@CurrentUser() who: Principal, @Param('hostKeyId') hostKeyId: string): Promise<void> {
    return this.keys.remove(who, hostKeyId);
  }
}
