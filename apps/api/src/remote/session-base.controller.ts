import { Controller, Get, Param, Post } from '@nestjs/common';
import {
  baseAnswerSchema,
  baseRequestSchema,
  sessionBaseSchema,
  type BaseAnswer,
  type BaseRequest,
  type SessionBase,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { SessionBaseService } from './session-base.service';

const REFUSALS = ['SESSION_NOT_FOUND', ...WORKSPACE_REFUSALS] as const;

@Controller('v1/sessions/:sessionId/base')
export class SessionBaseController {
  constructor(private readonly bases: SessionBaseService) {}

  @Get()
  @Answers(
    200,
    sessionBaseSchema,
    'Get how many commits a session is behind its project, and the conflicts of a merge that is not finished',
    { problems: REFUSALS },
  )
  read(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<SessionBase> {
    return this.bases.read(who, sessionId);
  }

  @Post()
  @Answers(
    202,
    baseAnswerSchema,
    'Merge the project’s newest commit into the session, in my name, or undo that merge as a whole',
    { problems: [...REFUSALS, 'GIT_CONFLICT', 'FORBIDDEN', 'CONFLICT'] },
  )
  change(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(baseRequestSchema) body: BaseRequest,
  ): Promise<BaseAnswer> {
    return this.bases.change(who, sessionId, body);
  }
}
