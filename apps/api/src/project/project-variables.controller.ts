import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  pageSchema,
  projectVariableSchema,
  putProjectVariableSchema,
  type Page,
  type ProjectVariable,
  type PutProjectVariable,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { ProjectVariablesService } from './project-variables.service';

@Controller('v1/projects/:projectId/variables')
export class ProjectVariablesController {
  constructor(private readonly variables: ProjectVariablesService) {}

  @Get()
  @Answers(200, pageSchema(projectVariableSchema), 'List the project’s variables without their values', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN'],
  })
  list(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Page<ProjectVariable>> {
    return this.variables.list(who, projectId);
  }

  @Get(':name')
  @Answers(200, projectVariableSchema, 'Get a variable without its value', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  get(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('name') name: string,
  ): Promise<ProjectVariable> {
    return this.variables.get(who, projectId, name);
  }

  @Put(':name')
  @Answers(200, projectVariableSchema, 'Create or change a variable; applies from the next process on', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  put(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('name') name: string,
    @JsonBody(putProjectVariableSchema) body: PutProjectVariable,
  ): Promise<ProjectVariable> {
    return this.variables.put(who, projectId, name, body);
  }

  @Delete(':name')
  @Answers(204, null, 'Delete a variable and its value', { problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'] })
  remove(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('name') name: string,
  ): Promise<void> {
    return this.variables.remove(who, projectId, name);
  }
}
