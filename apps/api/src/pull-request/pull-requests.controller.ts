import { Controller, Get, Headers, Param, Post } from '@nestjs/common';
import {
  createTurnResponseSchema,
  openedPullRequestSchema,
  openPullRequestSchema,
  pullRequestOptionsSchema,
  pullRequestSchema,
  sendPullRequestSchema,
  type OpenedPullRequest,
  type OpenPullRequest,
  type PullRequest,
  type PullRequestOptions,
  type SendPullRequest,
  type Turn,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { GIT_REFUSALS, WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { PullRequestFeedbackService } from './pull-request-feedback.service';
import { PullRequestsService } from './pull-requests.service';

const REFUSALS = ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND', ...GIT_REFUSALS] as const;

@Controller('v1/sessions/:sessionId/pull-request')
export class PullRequestsController {
  constructor(
    private readonly pullRequests: PullRequestsService,
    private readonly feedback: PullRequestFeedbackService,
  ) {}

  @Post()
  @Answers(201, openedPullRequestSchema, 'Open a pull or merge request of the pushed branch, with my git account', {
    problems: REFUSALS,
  })
  open(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(openPullRequestSchema) body: OpenPullRequest,
  ): Promise<OpenedPullRequest> {
    return this.pullRequests.open(who, sessionId, body);
  }

  @Get()
  @Answers(200, pullRequestSchema, 'Get the session’s pull request; the host is asked at most once a minute', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'],
  })
  get(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<PullRequest> {
    return this.pullRequests.get(who, sessionId);
  }

  @Get('options')
  @Answers(200, pullRequestOptionsSchema, 'Get what can be chosen before a pull request is opened', {
    problems: REFUSALS,
  })
  options(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<PullRequestOptions> {
    return this.pullRequests.options(who, sessionId);
  }

  @Post('send')
  @Answers(202, createTurnResponseSchema, 'Send failing checks and review comments to the session as one message', {
    problems: [
      'SESSION_NOT_FOUND',
      'FORBIDDEN',
      'CONFLICT',
      ...WORKSPACE_REFUSALS,
      'BOOT_IN_PROGRESS',
      'HARNESS_FAILURE',
      'BUDGET_EXCEEDED',
      'IDEMPOTENCY_MISMATCH',
    ],
    headers: {
      'Idempotency-Key': 'The same key within 24 hours means the same turn; with another choice it is rejected.',
    },
  })
  send(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(sendPullRequestSchema) body: SendPullRequest,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<{ turn: Turn }> {
    return this.feedback.send(who, sessionId, body, key);
  }
}
