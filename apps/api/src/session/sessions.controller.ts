import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  bootRequestSchema,
  createSessionSchema,
  listedSessionSchema,
  listSessionsQuerySchema,
  pageSchema,
  resolvedOptionsSchema,
  sessionSchema,
  timestampSchema,
  updateSessionSchema,
  type CreateSession,
  type ListedSession,
  type Page,
  type ResolvedOptions,
  type Session,
  type UpdateSession,
} from '@chirality/contracts';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { OptionChain } from '../options/option-chain.service';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { BootService, type BootAnswer } from './boot.service';
import { SessionsService } from './sessions.service';

const bootAnswerSchema = z.object({
  session: sessionSchema,
  boot: z.object({
    claudeSessionId: z.string().nullable(),
    bootFingerprint: z.string().nullable(),
    bootedAt: timestampSchema.nullable(),
  }),
});

@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly boots: BootService,
    private readonly options: OptionChain,
  ) {}

  @Get()
  @Answers(200, pageSchema(listedSessionSchema), 'List the sessions that I may see, latest change first')
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listSessionsQuerySchema) query: z.infer<typeof listSessionsQuerySchema>,
  ): Promise<Page<ListedSession>> {
    return this.sessions.list(who, query);
  }

  @Post()
  @Answers(201, sessionSchema, 'Create a session in a project', {
    problems: ['PROJECT_NOT_FOUND', 'FORBIDDEN', 'AGENT_MAY_NOT_APPROVE', ...WORKSPACE_REFUSALS],
  })
  create(@CurrentUser() who: Principal, @JsonBody(createSessionSchema) body: CreateSession): Promise<Session> {
    return this.sessions.create(who, body);
  }

  @Get(':sessionId')
  @Answers(200, sessionSchema, 'Get a session', { problems: ['SESSION_NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Session> {
    return this.sessions.get(who, sessionId);
  }

  @Get(':sessionId/options')
  @Answers(200, resolvedOptionsSchema, 'Get the options of the next turn, each with its origin', {
    problems: ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS],
  })
  resolvedOptions(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<ResolvedOptions> {
    return this.options.ofSession(who, sessionId);
  }

  @Patch(':sessionId')
  @Answers(200, sessionSchema, 'Update title, visibility, persona, harness or options of a session', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'AGENT_MAY_NOT_APPROVE', 'CONFLICT', ...WORKSPACE_REFUSALS],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(updateSessionSchema) body: UpdateSession,
  ): Promise<Session> {
    return this.sessions.update(who, sessionId, body);
  }

  @Delete(':sessionId')
  @Answers(204, null, 'Interrupt, end and archive a session; usage and audit stay', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN'],
  })
  archive(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<void> {
    return this.sessions.archive(who, sessionId);
  }

  @Post(':sessionId/restore')
  @Answers(200, sessionSchema, 'Restore an archived session, with its files and its conversation', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  restore(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Session> {
    return this.sessions.restore(who, sessionId);
  }

  @Post(':sessionId/boot')
  @Answers(200, bootAnswerSchema, 'Boot a session, or return the last boot when nothing changed', {
    problems: [
      'SESSION_NOT_FOUND',
      'FORBIDDEN',
      'BOOT_IN_PROGRESS',
      'TURN_IN_PROGRESS',
      'SANDBOX_UNAVAILABLE',
      'HARNESS_FAILURE',
      'CONFLICT',
      ...WORKSPACE_REFUSALS,
    ],
  })
  boot(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(bootRequestSchema, { optional: true }) body: z.infer<typeof bootRequestSchema>,
  ): Promise<BootAnswer> {
    return this.boots.boot(who, sessionId, body.options);
  }
}
