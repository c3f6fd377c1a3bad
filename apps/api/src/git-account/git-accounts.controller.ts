import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  createGitAccountSchema,
  gitAccountListSchema,
  gitAccountQuerySchema,
  savedGitAccountSchema,
  gitBranchesSchema,
  testGitAccountSchema,
  type CreateGitAccount,
  type SavedGitAccount,
  type GitAccountList,
  type GitBranches,
  type TestGitAccount,
} from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { GIT_REFUSALS } from '../worker/workspace-refusals';
import { GitAccountsService } from './git-accounts.service';
import { GitBranchesService } from './git-branches.service';

@Controller('v1/git-accounts')
export class GitAccountsController {
  constructor(
    private readonly accounts: GitAccountsService,
    private readonly branches: GitBranchesService,
  ) {}

  @Get()
  @Answers(200, gitAccountListSchema, 'List my git accounts and my teams’, without their secrets', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(gitAccountQuerySchema) query: z.infer<typeof gitAccountQuerySchema>,
  ): Promise<GitAccountList> {
    return this.accounts.list(who, query.teamId);
  }

  @Post()
  @Answers(
    201,
    savedGitAccountSchema,
    'Add a git account of mine, or the team’s: a token, in place of an earlier one for the host, or a new SSH key pair whose public key is answered; with `url` a token is tested there',
    { problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] },
  )
  create(
    @CurrentUser() who: Principal,
    @JsonBody(createGitAccountSchema) body: CreateGitAccount,
  ): Promise<SavedGitAccount> {
    return this.branches.createTested(who, body);
  }

  @Delete(':accountId')
  @Answers(204, null, 'Remove a git account; its secret is gone', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  remove(@CurrentUser() who: Principal, @Param('accountId') accountId: string): Promise<void> {
    return this.accounts.remove(who, accountId);
  }

  @Post(':accountId/test')
  @Answers(200, gitBranchesSchema, 'Sign in with a git account and list the branches of a repository', {
    problems: ['NOT_FOUND', 'FORBIDDEN', ...GIT_REFUSALS],
  })
  test(
    @CurrentUser() who: Principal,
    @Param('accountId') accountId: string,
    @JsonBody(testGitAccountSchema) body: TestGitAccount,
  ): Promise<GitBranches> {
    return this.branches.test(who, accountId, body);
  }
}
