import { Controller, Get, Param, Post } from '@nestjs/common';
import {
  pushAnswerSchema,
  pushRequestSchema,
  pushStateSchema,
  type PushAnswer,
  type PushRequest,
  type PushState,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { GIT_REFUSALS, WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { SessionPushService } from './session-push.service';

@Controller('v1/sessions/:sessionId/push')
export class SessionPushController {
  constructor(private readonly pushes: SessionPushService) {}

  @Get()
  @Answers(200, pushStateSchema, 'Get the branch that a push of the session would go to, and the last push', {
    problems: ['SESSION_NOT_FOUND'],
  })
  read(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<PushState> {
    return this.pushes.read(who, sessionId);
  }

  @Post()
  @Answers(
    200,
    pushAnswerSchema,
    'Push the session’s commits to the project’s remote, with my git account; the answer is what the remote has then',
    { problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', ...WORKSPACE_REFUSALS, ...GIT_REFUSALS] },
  )
  push(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(pushRequestSchema, { optional: true }) body: PushRequest,
  ): Promise<PushAnswer> {
    return this.pushes.push(who, sessionId, body);
  }
}
