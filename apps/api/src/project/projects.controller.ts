import { Controller, Delete, Get, Param, Patch, Post, Put, Req } from '@nestjs/common';
import {
  createProjectSchema,
  gitBranchesSchema,
  pageQuerySchema,
  pageSchema,
  projectSchema,
  updateProjectSchema,
  type CreateProject,
  type GitBranches,
  type Page,
  type Project,
  type UpdateProject,
} from '@chirality/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { GIT_REFUSALS } from '../worker/workspace-refusals';
import { ProjectArchiveService } from './project-archive.service';
import { ProjectSettingsService } from './project-settings.service';
import { ProjectUploadService } from './project-upload.service';
import { ProjectsService } from './projects.service';

const listQuerySchema = pageQuerySchema.extend({
  teamId: z.string().optional(),
  archived: z.stringbool().default(false),
});

@Controller('v1/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly settings: ProjectSettingsService,
    private readonly uploads: ProjectUploadService,
    private readonly archives: ProjectArchiveService,
  ) {}

  @Get()
  @Answers(200, pageSchema(projectSchema), 'List projects of my teams, newest first', { problems: ['NOT_FOUND'] })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listQuerySchema) query: z.infer<typeof listQuerySchema>,
  ): Promise<Page<Project>> {
    return this.projects.list(who, query);
  }

  @Post()
  @Answers(
    201,
    projectSchema,
    'Create a project. A git URL is fetched at once, and `sourceState` shows the progress; for an upload send the archive next',
    { problems: ['NOT_FOUND', 'FORBIDDEN', 'WORKING_ROOT_INACCESSIBLE'] },
  )
  create(@CurrentUser() who: Principal, @JsonBody(createProjectSchema) body: CreateProject): Promise<Project> {
    return this.projects.create(who, body);
  }

  @Get(':projectId')
  @Answers(200, projectSchema, 'Get a project', { problems: ['PROJECT_NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.projects.get(who, projectId);
  }

  @Patch(':projectId')
  @Answers(200, projectSchema, 'Update a project’s name, defaults, limits or policy', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @JsonBody(updateProjectSchema) body: UpdateProject,
  ): Promise<Project> {
    return this.settings.update(who, projectId, body);
  }

  @Get(':projectId/branches')
  @Answers(200, gitBranchesSchema, 'List the branches of the repository that the project comes from', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', ...GIT_REFUSALS],
  })
  branches(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<GitBranches> {
    return this.projects.branches(who, projectId);
  }

  @Post(':projectId/fetch')
  @Answers(202, projectSchema, 'Fetch the files of a project again after a failure', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  fetchAgain(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.projects.fetchAgain(who, projectId);
  }

  @Delete(':projectId/fetch')
  @Answers(200, projectSchema, 'Stop fetching or unpacking the files of a project; it can be started again', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  stopFetch(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.projects.stopFetch(who, projectId);
  }

  @Put(':projectId/upload')
  @Answers(
    202,
    projectSchema,
    'Upload the archive (.tar.gz or .zip, as the body) of a project; a worker unpacks it, and `sourceState` shows the progress',
    {
      problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'MESSAGE_TOO_LARGE', 'WORKSPACE_UNAVAILABLE'],
    },
  )
  upload(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Req() request: Request,
  ): Promise<Project> {
    return this.uploads.take(who, projectId, request);
  }

  @Delete(':projectId')
  @Answers(
    204,
    null,
    'Archive a project: its sessions stay readable and accept nothing more; running turns are interrupted',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] },
  )
  archive(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<void> {
    return this.archives.archive(who, projectId);
  }

  @Post(':projectId/restore')
  @Answers(200, projectSchema, 'Restore an archived project, with its sessions as they were', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  restore(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.projects.restore(who, projectId);
  }
}
