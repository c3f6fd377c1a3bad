import { Controller, Get, Param } from '@nestjs/common';
import { projectWorkSchema, unpushedWorkSchema, type ProjectWork, type UnpushedWork } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { UnpushedWorkService } from './unpushed-work.service';

@Controller('v1')
export class UnpushedWorkController {
  constructor(private readonly work: UnpushedWorkService) {}

  @Get('sessions/:sessionId/unpushed-work')
  @Answers(200, unpushedWorkSchema, 'Get what exists only in a session, as it was when its files were last stored', {
    problems: ['SESSION_NOT_FOUND'],
  })
  ofSession(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<UnpushedWork> {
    return this.work.ofSession(who, sessionId);
  }

  @Get('projects/:projectId/unpushed-work')
  @Answers(200, projectWorkSchema, 'List the sessions of a project that have work which exists nowhere else', {
    problems: ['PROJECT_NOT_FOUND'],
  })
  ofProject(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<ProjectWork> {
    return this.work.ofProject(who, projectId);
  }
}
