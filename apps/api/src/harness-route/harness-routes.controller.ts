import { Controller, Delete, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import {
  bootedHarnessSessionSchema,
  bootHarnessSessionSchema,
  createHarnessSessionSchema,
  harnessSessionAnswerSchema,
  harnessSessionListSchema,
  harnessTurnSchema,
  interruptedHarnessSchema,
  interruptHarnessSchema,
  listHarnessSessionsQuerySchema,
  type BootedHarnessSession,
  type BootHarnessSession,
  type CreateHarnessSession,
  type HarnessSession,
  type HarnessSessionList,
  type HarnessTurn,
} from '@chirality/contracts';
import type { Response } from 'express';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { ACCEPTING } from '../turn/accepting-routes';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { HarnessRoutesGuard } from './harness-routes.guard';
import { HarnessSessionsService } from './harness-sessions.service';
import { HarnessTurnsService } from './harness-turns.service';

/** The routes of the earlier harness, for clients that were written against it. */
@UseGuards(HarnessRoutesGuard)
@Controller('api/harness')
export class HarnessRoutesController {
  constructor(
    private readonly sessions: HarnessSessionsService,
    private readonly turns: HarnessTurnsService,
  ) {}

  @Post('session/create')
  @Answers(201, harnessSessionAnswerSchema, 'Create a session, as the earlier harness did', {
    problems: ['PROJECT_NOT_FOUND', 'NOT_FOUND', 'WORKING_ROOT_INACCESSIBLE', 'FORBIDDEN', ...WORKSPACE_REFUSALS],
  })
  async create(
    @CurrentUser() who: Principal,
    @JsonBody(createHarnessSessionSchema) body: CreateHarnessSession,
  ): Promise<{ session: HarnessSession }> {
    return { session: await this.sessions.create(who, body) };
  }

  @Get('session/list')
  @Answers(200, harnessSessionListSchema, 'List sessions, as the earlier harness did', { problems: ['NOT_FOUND'] })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listHarnessSessionsQuerySchema) { projectId }: { projectId?: string | undefined },
  ): Promise<HarnessSessionList> {
    return this.sessions.list(who, projectId);
  }

  @Post('session/boot')
  @Answers(200, bootedHarnessSessionSchema, 'Boot a session and begin its conversation, as the earlier harness did', {
    problems: [...ACCEPTING, 'NOT_FOUND'],
  })
  boot(
    @CurrentUser() who: Principal,
    @JsonBody(bootHarnessSessionSchema) body: BootHarnessSession,
  ): Promise<BootedHarnessSession> {
    return this.sessions.boot(who, body);
  }

  @Get('session/:sessionId')
  @Answers(200, harnessSessionAnswerSchema, 'Get a session, as the earlier harness did', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'],
  })
  async get(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
  ): Promise<{ session: HarnessSession }> {
    return { session: await this.sessions.get(who, sessionId) };
  }

  @Delete('session/:sessionId')
  @Answers(204, null, 'Interrupt, end and archive a session, as the earlier harness did', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  archive(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<void> {
    return this.sessions.archive(who, sessionId);
  }

  @Post('turn')
  @Answers(200, null, 'Send a message and read its turn as a stream of the earlier harness’s events', {
    media: 'text/event-stream',
    problems: [...ACCEPTING, 'NOT_FOUND', 'MESSAGE_EMPTY', 'MESSAGE_TOO_LARGE', 'RATE_LIMITED'],
  })
  turn(
    @CurrentUser() who: Principal,
    @JsonBody(harnessTurnSchema, { takesNul: true }) body: HarnessTurn,
    @Res() response: Response,
  ): Promise<void> {
    return this.turns.stream(who, body, response);
  }

  @Post('interrupt')
  @Answers(200, interruptedHarnessSchema, 'Interrupt a session, as the earlier harness did', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  interrupt(
    @CurrentUser() who: Principal,
    @JsonBody(interruptHarnessSchema) { sessionId }: { sessionId: string },
  ): Promise<{ interrupted: boolean }> {
    return this.turns.interrupt(who, sessionId);
  }
}
