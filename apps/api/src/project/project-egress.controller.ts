import { Controller, Get, Param, Put } from '@nestjs/common';
import {
  egressLogEntrySchema,
  pageSchema,
  projectEgressSchema,
  updateProjectEgressSchema,
  type EgressLogEntry,
  type Page,
  type ProjectEgress,
  type UpdateProjectEgress,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { ProjectEgressService } from './project-egress.service';

@Controller('v1/projects/:projectId/egress')
export class ProjectEgressController {
  constructor(private readonly egress: ProjectEgressService) {}

  @Get()
  @Answers(200, projectEgressSchema, 'List the hosts that the project’s sandboxes may reach', {
    problems: ['PROJECT_NOT_FOUND'],
  })
  get(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<ProjectEgress> {
    return this.egress.get(who, projectId);
  }

  @Put()
  @Answers(
    200,
    projectEgressSchema,
    'Replace the hosts that the project’s sandboxes may reach; applies from the next process on',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'] },
  )
  replace(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @JsonBody(updateProjectEgressSchema) body: UpdateProjectEgress,
  ): Promise<ProjectEgress> {
    return this.egress.replace(who, projectId, body);
  }

  @Get('log')
  @Answers(
    200,
    pageSchema(egressLogEntrySchema),
    'List connections of the project’s sandboxes in the last 30 days, latest first',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'] },
  )
  log(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Page<EgressLogEntry>> {
    return this.egress.log(who, projectId);
  }
}
