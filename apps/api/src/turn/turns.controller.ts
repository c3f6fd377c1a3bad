import { Controller, Get, Headers, Param, Post, Res } from '@nestjs/common';
import {
  createTurnQuerySchema,
  createTurnResponseSchema,
  createTurnSchema,
  openToolCallSchema,
  pageQuerySchema,
  pageSchema,
  sendTurnResponseSchema,
  toolOutcomeRequestSchema,
  turnSchema,
  type CreateTurn,
  type OpenToolCall,
  type Page,
  type QueueItem,
  type ToolOutcomeRequest,
  type Turn,
} from '@chirality/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { ACCEPTING, IDEMPOTENCY } from './accepting-routes';
import { ToolOutcomesService } from './tool-outcomes.service';
import { ToolResultsService } from './tool-results.service';
import { TurnActsService } from './turn-acts.service';
import { TurnFilesService, type TurnFileName } from './turn-files.service';
import { TurnsService } from './turns.service';

const CLIENT = { 'X-Client-Id': 'The tab or program that sends it, an id like cli_01J…: the turn’s events name it.' };
const toolResultSchema = z.object({ content: z.unknown() });
const turnAnswerSchema = z.object({ turn: turnSchema });

@Controller('v1/sessions/:sessionId')
export class TurnsController {
  constructor(
    private readonly turns: TurnsService,
    private readonly acts: TurnActsService,
    private readonly files: TurnFilesService,
    private readonly outcomes: ToolOutcomesService,
    private readonly toolResults: ToolResultsService,
  ) {}

  @Post('turns')
  @Answers(
    202,
    sendTurnResponseSchema,
    'Send a message; with ?wait=turn the response is 200 once the turn is final, with whenBusy it may wait for another turn',
    {
      problems: [
        ...ACCEPTING,
        'NOT_FOUND',
        'MESSAGE_EMPTY',
        'MESSAGE_TOO_LARGE',
        'ATTACHMENT_TOO_LARGE',
        'SCHEMA_INVALID',
        'QUEUE_FULL',
      ],
      headers: { ...IDEMPOTENCY, ...CLIENT },
      alsoAnswers: { status: 200, answer: sendTurnResponseSchema },
    },
  )
  async create(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(createTurnSchema, { takesNul: true }) body: CreateTurn,
    @QueryOf(createTurnQuerySchema) query: z.infer<typeof createTurnQuerySchema>,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ turn: Turn } | { item: QueueItem }> {
    const wait = query.wait === 'turn';
    const sent = await this.turns.send(who, sessionId, { body, key, wait }, response);
    if ('item' in sent) return sent;
    if (sent.final) response.status(200);
    return { turn: sent.turn };
  }

  @Post('compact')
  @Answers(202, createTurnResponseSchema, 'Compact the conversation in a separate turn', {
    problems: ACCEPTING,
    headers: IDEMPOTENCY,
  })
  compact(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<{ turn: Turn }> {
    return this.turns.compact(who, sessionId, key);
  }

  @Post('interrupt')
  @Answers(
    202,
    z.object({ turn: turnSchema.nullable() }),
    'Interrupt the running turn; does nothing when there is none',
    { problems: ['SESSION_NOT_FOUND', 'FORBIDDEN'] },
  )
  interrupt(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<{ turn: Turn | null }> {
    return this.acts.interrupt(who, sessionId);
  }

  @Get('turns')
  @Answers(200, pageSchema(turnSchema), 'List turns of a session, latest first', { problems: ['SESSION_NOT_FOUND'] })
  list(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(pageQuerySchema) query: z.infer<typeof pageQuerySchema>,
  ): Promise<Page<Turn>> {
    return this.turns.list(who, sessionId, query);
  }

  @Get('turns/:turnId')
  @Answers(200, turnSchema, 'Get a turn', { problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'] })
  get(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
  ): Promise<Turn> {
    return this.turns.get(who, sessionId, turnId);
  }

  @Get('turns/:turnId/prompt')
  @Answers(200, null, 'Get the appended prompt as it was sent', {
    media: 'text/markdown',
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  prompt(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.download(who, sessionId, turnId, 'prompt', response);
  }

  @Get('turns/:turnId/raw')
  @Answers(200, null, 'Get the harness’s raw stream, unmasked, line by line', {
    media: 'application/x-ndjson',
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  raw(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.download(who, sessionId, turnId, 'raw', response);
  }

  @Get('turns/:turnId/stderr')
  @Answers(200, null, 'Get what the harness wrote to stderr, unmasked', {
    media: 'text/plain',
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  stderr(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.download(who, sessionId, turnId, 'stderr', response);
  }

  @Get('tools/open')
  @Answers(
    200,
    pageSchema(openToolCallSchema),
    'List tool calls that may have changed something and whose outcome is unknown',
    {
      problems: ['SESSION_NOT_FOUND'],
    },
  )
  openTools(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Page<OpenToolCall>> {
    return this.outcomes.listOpen(who, sessionId);
  }

  @Get('turns/:turnId/tools/:toolUseId/result')
  @Answers(200, toolResultSchema, 'Get the full result of a tool, where its event holds only a preview', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'],
  })
  toolResult(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
    @Param('toolUseId') toolUseId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.toolResults.send(who, sessionId, turnId, toolUseId, response);
  }

  @Post('turns/:turnId/tools/:toolUseId/outcome')
  @Answers(200, turnAnswerSchema, 'Record the outcome of a tool call that a crash left open', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  toolOutcome(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
    @Param('toolUseId') toolUseId: string,
    @JsonBody(toolOutcomeRequestSchema) body: ToolOutcomeRequest,
  ): Promise<{ turn: Turn }> {
    return this.outcomes.settle(who, sessionId, turnId, toolUseId, body);
  }

  private download(
    who: Principal,
    sessionId: string,
    turnId: string,
    file: TurnFileName,
    response: Response,
  ): Promise<void> {
    return this.files.send(who, sessionId, turnId, file, response);
  }
}
