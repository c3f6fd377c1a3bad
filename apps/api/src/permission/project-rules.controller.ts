import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  createProjectRuleSchema,
  pageSchema,
  projectRuleSchema,
  sessionRuleSchema,
  type CreateProjectRule,
  type Page,
  type ProjectRule,
  type SessionRule,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { ProjectRulesService } from './project-rules.service';

@Controller('v1/projects/:projectId/rules')
export class ProjectRulesController {
  constructor(private readonly rules: ProjectRulesService) {}

  @Get()
  @Answers(200, pageSchema(projectRuleSchema), 'List the permission rules of a project', {
    problems: ['PROJECT_NOT_FOUND'],
  })
  list(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Page<ProjectRule>> {
    return this.rules.list(who, projectId);
  }

  @Get('of-sessions')
  @Answers(
    200,
    pageSchema(sessionRuleSchema),
    'List rules of the project’s sessions that allow more than they show; for owners and admins, who may delete them',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'] },
  )
  listTooWide(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Page<SessionRule>> {
    return this.rules.listTooWide(who, projectId);
  }

  @Delete('of-sessions/:ruleId')
  @Answers(204, null, 'Delete a rule of one of the project’s sessions; applies from the next tool call on', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  removeOfSession(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.removeOfSession(who, projectId, ruleId);
  }

  @Post()
  @Answers(201, projectRuleSchema, 'Create a permission rule; applies from the next tool call on', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'],
  })
  add(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @JsonBody(createProjectRuleSchema) body: CreateProjectRule,
  ): Promise<ProjectRule> {
    return this.rules.add(who, projectId, body);
  }

  @Delete(':ruleId')
  @Answers(204, null, 'Delete a permission rule; applies from the next tool call on', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  remove(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.remove(who, projectId, ruleId);
  }
}
