import { Controller, Delete, Param, Post } from '@nestjs/common';
import { projectSchema, type Project } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { ProjectRefreshService } from './project-refresh.service';

@Controller('v1/projects/:projectId/refresh')
export class ProjectRefreshController {
  constructor(private readonly refreshes: ProjectRefreshService) {}

  @Post()
  @Answers(
    202,
    projectSchema,
    'Ask the remote of a project for newer commits; `refresh` shows the progress, and the files stay usable',
    { problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'PROJECT_NOT_READY'] },
  )
  refresh(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.refreshes.refresh(who, projectId);
  }

  @Delete()
  @Answers(200, projectSchema, 'Stop a refresh that waits or runs; the files stay what they were', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  stop(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Project> {
    return this.refreshes.stop(who, projectId);
  }
}
