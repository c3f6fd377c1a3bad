import { Controller, Get, Param } from '@nestjs/common';
import {
  fileContentSchema,
  fileQuerySchema,
  projectFileListSchema,
  type FileContent,
  type ProjectFileList,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { contentQuerySchema } from './content-query';
import { ProjectFilesService } from './project-files.service';

const REFUSALS = ['PROJECT_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;

@Controller('v1/projects/:projectId')
export class ProjectFilesController {
  constructor(private readonly files: ProjectFilesService) {}

  @Get('files')
  @Answers(
    200,
    projectFileListSchema,
    'List a directory of the commit that the project’s sessions start from, directories first, in pages; `find` searches names there and below',
    { problems: REFUSALS },
  )
  list(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @QueryOf(fileQuerySchema) query: z.infer<typeof fileQuerySchema>,
  ): Promise<ProjectFileList> {
    return this.files.list(who, projectId, query);
  }

  @Get('files/content')
  @Answers(200, fileContentSchema, 'Get a file of the commit that the project’s sessions start from', {
    problems: REFUSALS,
  })
  read(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @QueryOf(contentQuerySchema) query: z.infer<typeof contentQuerySchema>,
  ): Promise<FileContent> {
    return this.files.read(who, projectId, query.path);
  }
}
