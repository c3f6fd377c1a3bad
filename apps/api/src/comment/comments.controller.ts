import { Controller, Delete, Get, Headers, Param, Patch, Post } from '@nestjs/common';
import {
  createCommentSchema,
  createTurnResponseSchema,
  diffCommentSchema,
  pageSchema,
  sendCommentsSchema,
  updateCommentSchema,
  type CreateComment,
  type DiffComment,
  type Page,
  type SendComments,
  type Turn,
  type UpdateComment,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { ACCEPTING, IDEMPOTENCY } from '../turn/accepting-routes';
import { WORKSPACE_REFUSALS } from '../worker/workspace-refusals';
import { CommentsService } from './comments.service';

@Controller('v1/sessions/:sessionId/comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @Answers(200, pageSchema(diffCommentSchema), 'List comments on changes that were not sent, by file and line', {
    problems: ['SESSION_NOT_FOUND'],
  })
  list(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Page<DiffComment>> {
    return this.comments.list(who, sessionId);
  }

  @Post()
  @Answers(201, diffCommentSchema, 'Comment on lines of a change; it waits until the session’s comments are sent', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT', ...WORKSPACE_REFUSALS],
  })
  add(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(createCommentSchema) body: CreateComment,
  ): Promise<DiffComment> {
    return this.comments.add(who, sessionId, body);
  }

  @Post('send')
  @Answers(202, createTurnResponseSchema, 'Send the comments, or chosen ones, to Claude as one message', {
    problems: [...ACCEPTING, 'MESSAGE_TOO_LARGE'],
    headers: IDEMPOTENCY,
  })
  send(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(sendCommentsSchema, { optional: true }) body: SendComments,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<{ turn: Turn }> {
    return this.comments.send(who, sessionId, body, key);
  }

  @Patch(':commentId')
  @Answers(200, diffCommentSchema, 'Change the words of a comment that was not sent', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  change(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('commentId') commentId: string,
    @JsonBody(updateCommentSchema) body: UpdateComment,
  ): Promise<DiffComment> {
    return this.comments.change(who, sessionId, commentId, body);
  }

  @Delete(':commentId')
  @Answers(204, null, 'Delete a comment that was not sent', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  remove(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('commentId') commentId: string,
  ): Promise<void> {
    return this.comments.remove(who, sessionId, commentId);
  }
}
