import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  pageSchema,
  projectMemberSchema,
  putProjectMemberSchema,
  type Page,
  type ProjectMember,
} from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { ProjectMembersService } from './project-members.service';

@Controller('v1/projects/:projectId/members')
export class ProjectMembersController {
  constructor(private readonly members: ProjectMembersService) {}

  @Get()
  @Answers(
    200,
    pageSchema(projectMemberSchema),
    'List the people whom the project names; the team’s owners and admins manage it without being named',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'] },
  )
  list(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Page<ProjectMember>> {
    return this.members.list(who, projectId);
  }

  @Get(':userId')
  @Answers(200, projectMemberSchema, 'Get a member of the project', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  get(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('userId') userId: string,
  ): Promise<ProjectMember> {
    return this.members.get(who, projectId, userId);
  }

  @Put(':userId')
  @Answers(200, projectMemberSchema, 'Add someone of the team to the project, or change their role in it', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  put(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('userId') userId: string,
    @JsonBody(putProjectMemberSchema) { role }: z.infer<typeof putProjectMemberSchema>,
  ): Promise<ProjectMember> {
    return this.members.put(who, projectId, userId, role);
  }

  @Delete(':userId')
  @Answers(204, null, 'Remove a member from the project, or leave it', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  remove(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    return this.members.remove(who, projectId, userId);
  }
}
