import { Controller, Post } from '@nestjs/common';
import { gitBranchesSchema, testGitAccountSchema, type GitBranches, type TestGitAccount } from '@chirality/contracts';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { GIT_REFUSALS } from '../worker/workspace-refusals';
import { GitBranchesService } from './git-branches.service';

@Controller('v1/git-branches')
export class GitBranchesController {
  constructor(private readonly branches: GitBranchesService) {}

  @Post()
  @Answers(
    200,
    gitBranchesSchema,
    'List the branches of a repository with the account that a new project of the team would be fetched with',
    { problems: ['NOT_FOUND', 'FORBIDDEN', ...GIT_REFUSALS] },
  )
  list(@CurrentUser() who: Principal, @JsonBody(testGitAccountSchema) body: TestGitAccount): Promise<GitBranches> {
    return this.branches.ofAddress(who, body);
  }
}
