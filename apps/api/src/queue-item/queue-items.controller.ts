import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  queueItemResponseSchema,
  sessionQueueSchema,
  updateQueueItemSchema,
  updateQueueSchema,
  type SessionQueue,
  type QueueItem,
  type UpdateQueue,
  type UpdateQueueItem,
} from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { QueueItemsService } from './queue-items.service';

const CHANGING = ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const;

@Controller('v1/sessions/:sessionId/queue')
export class QueueItemsController {
  constructor(private readonly items: QueueItemsService) {}

  @Get()
  @Answers(200, sessionQueueSchema, 'List the messages that wait in a session, in the order in which they run', {
    problems: ['SESSION_NOT_FOUND'],
  })
  list(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<SessionQueue> {
    return this.items.list(who, sessionId);
  }

  @Patch()
  @Answers(200, sessionQueueSchema, 'Resume the messages that wait, or pause them', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  change(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(updateQueueSchema) body: UpdateQueue,
  ): Promise<SessionQueue> {
    return this.items.change(who, sessionId, body);
  }

  @Delete()
  @Answers(200, sessionQueueSchema, 'Remove the messages that wait: all as a manager of the session, else one’s own', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN'],
  })
  clear(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<SessionQueue> {
    return this.items.clear(who, sessionId);
  }

  @Patch(':itemId')
  @Answers(200, queueItemResponseSchema, 'Change a message that waits, or its place', {
    problems: [...CHANGING, 'MESSAGE_EMPTY', 'MESSAGE_TOO_LARGE', 'AGENT_MAY_NOT_APPROVE'],
  })
  changeItem(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('itemId') itemId: string,
    @JsonBody(updateQueueItemSchema, { takesNul: true }) body: UpdateQueueItem,
  ): Promise<{ item: QueueItem }> {
    return this.items.changeItem(who, sessionId, itemId, body);
  }

  @Delete(':itemId')
  @Answers(204, null, 'Remove a message that waits', { problems: CHANGING })
  remove(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('itemId') itemId: string,
  ): Promise<void> {
    return this.items.remove(who, sessionId, itemId);
  }

  @Post(':itemId/send')
  @Answers(202, sessionQueueSchema, 'Run a message that waits first; a turn that runs is interrupted for it', {
    problems: CHANGING,
  })
  send(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('itemId') itemId: string,
  ): Promise<SessionQueue> {
    return this.items.send(who, sessionId, itemId);
  }
}
