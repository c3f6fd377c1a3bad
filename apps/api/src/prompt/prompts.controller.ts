import { Controller, Get, Param, Post } from '@nestjs/common';
import { assembledPromptSchema, promptPreviewRequestSchema, type AssembledPrompt } from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { PromptsService } from './prompts.service';

const PREVIEW = ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;

@Controller('v1/sessions/:sessionId')
export class PromptsController {
  constructor(private readonly prompts: PromptsService) {}

  @Get('prompt')
  @Answers(200, assembledPromptSchema, 'Preview the prompt of the next turn, and what of it does not fit', {
    problems: PREVIEW,
  })
  next(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<AssembledPrompt> {
    return this.prompts.next(who, sessionId);
  }

  @Post('prompt')
  @Answers(200, assembledPromptSchema, 'Preview the prompt with other options; changes nothing', {
    problems: [...PREVIEW, 'FORBIDDEN'],
  })
  nextWith(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(promptPreviewRequestSchema, { optional: true }) body: z.infer<typeof promptPreviewRequestSchema>,
  ): Promise<AssembledPrompt> {
    return this.prompts.nextWith(who, sessionId, body.options);
  }

  @Get('turns/:turnId/prompt/sections')
  @Answers(200, assembledPromptSchema, 'List the sections of a turn’s prompt, and what of it did not fit', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'],
  })
  ofTurn(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('turnId') turnId: string,
  ): Promise<AssembledPrompt> {
    return this.prompts.ofTurn(who, sessionId, turnId);
  }
}
