import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { deletionSchema, listDeletionsQuerySchema, pageSchema, type Deletion, type Page } from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { DeletionsService } from './deletions.service';

@Controller('v1')
export class DeletionsController {
  constructor(private readonly deletions: DeletionsService) {}

  @Get('deletions')
  @Answers(200, pageSchema(deletionSchema), 'List deleted sessions and projects that I may restore, last deleted first')
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listDeletionsQuerySchema) query: z.infer<typeof listDeletionsQuerySchema>,
  ): Promise<Page<Deletion>> {
    return this.deletions.list(who, query);
  }

  @Post('sessions/:sessionId/delete')
  @Answers(
    200,
    deletionSchema,
    'Delete a session: what runs is ended, then it exists nowhere but among the deletions, and can be restored for 30 days',
    { problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'TURN_IN_PROGRESS'] },
  )
  deleteSession(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Deletion> {
    return this.deletions.deleteSession(who, sessionId);
  }

  @Post('projects/:projectId/delete')
  @Answers(200, deletionSchema, 'Delete a project with its sessions; it can be restored for 30 days', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'TURN_IN_PROGRESS'],
  })
  deleteProject(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<Deletion> {
    return this.deletions.deleteProject(who, projectId);
  }

  @Delete('deletions/:deletedId')
  @Answers(204, null, 'End a deleted session or project for good; usage and audit stay', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  purge(@CurrentUser() who: Principal, @Param('deletedId') deletedId: string): Promise<void> {
    return this.deletions.purge(who, deletedId);
  }
}
